// A test's own service, for other settings, faults, or restarts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CommandInput } from '../../functions/admin/commands.ts';
import { localCallbacks } from '../../lib/local/cli/local-callbacks.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../lib/local/runtime/runtime.ts';
import type { StageSettings } from '../../lib/local/template/settings.ts';
import type { Home } from './given.ts';
import type { Faults } from './observed/faults.ts';
import { observedServices } from './observed/observed-services.ts';
import { placeInOtherEngine } from './other-engine.ts';
import { sharedService } from './service.ts';

export interface OwnService {
  runtime: Runtime;
  dataDir: string;
  /** What happens to the requests of its functions to AWS. */
  faults: Faults;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  admin(command: CommandInput): Promise<any>;
  /** A workspace with a key that has every scope, and companies as records. */
  home(options?: { companies?: number; credits?: number }): Promise<Home>;
  /** Restarts it on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one whose AWS requests pass the main thread, with additional variables and settings of the stage. */
export async function ownService(
  extraEnv: Record<string, string> = {},
  settings: StageSettings = {},
  { demoKey = () => undefined }: Pick<RuntimeOptions, 'demoKey'> = {},
): Promise<OwnService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-own-'));
  const dynamodbEndpoint = placeInOtherEngine();
  const cloudAssembly = async () => sharedService().assembly;
  const { services, faults } = observedServices();
  const start = (port: number) =>
    startRuntime({
      dataDir,
      cloudAssembly,
      settings,
      port,
      services,
      extraEnv: { ...localCallbacks, ...extraEnv },
      dynamodbEndpoint,
      demoKey,
    });
  let runtime = await start(0);
  const port = Number(new URL(runtime.site_url).port);

  async function admin(command: CommandInput) {
    const result = await runtime.lambda.invoke('Admin', JSON.stringify(command));
    if (!result.ok) throw new Error(result.error.errorMessage);
    const answer = JSON.parse(result.payload);
    if (answer.error) throw new Error(result.payload);
    return answer;
  }

  async function home({ companies = 10, credits }: { companies?: number; credits?: number } = {}) {
    const { workspace_id } = await admin({
      command: 'workspace.create',
      name: 'Own',
      tier: 'enterprise',
      ...(credits !== undefined && { credits }),
    });
    const { api_key: key, key_id } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
    const entities = Array.from({ length: companies }, (_, i) => ({
      type: 'company',
      name: `Company ${i}`,
      fields: { city: i % 2 === 0 ? 'Berlin' : 'Oslo', size: i },
    }));
    for (let i = 0; i < companies; i += 500)
      await admin({ command: 'entity.import', workspace_id, entities: entities.slice(i, i + 500) });
    const { base_url, site_url } = runtime;
    return { workspace_id, key, key_id, access: { base_url, site_url } };
  }

  return {
    get runtime() {
      return runtime;
    },
    dataDir,
    faults,
    admin,
    home,
    async restart() {
      await runtime.stop();
      // This process's clients must notice that their keep-alive connections are closed: the new service starts at
      // once.
      await expect.poll(() => fetch(runtime.site_url).then(Boolean, () => false)).toBe(false);
      runtime = await start(port);
    },
    async stop() {
      await runtime.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
