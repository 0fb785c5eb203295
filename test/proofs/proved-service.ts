// The service under proof: its own for a command, the shared one for its short form in the suite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeProgram } from '../../bin/program/made-program.ts';
import type { CommandInput } from '../../functions/admin/commands.ts';
import { installAssembly } from '../../lib/local/cli/install-assembly.ts';
import { localCallbacks } from '../../lib/local/cli/local-callbacks.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../lib/local/runtime/runtime.ts';
import type { Home } from '../support/given.ts';

export interface ProvedService {
  base_url: string;
  site_url: string;
  /** The folder of all its state. */
  data_dir: string;
  /** Carries out an admin command. Throws what the command refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of the service are read freely
  admin(command: CommandInput): Promise<any>;
}

/**
 * Starts a service for the proof, as `npm start` does but with callbacks to loopback allowed, and ends it afterwards.
 */
export async function onOwnService<T>(
  prove: (service: ProvedService, runtime: Runtime) => Promise<T>,
  options: Pick<RuntimeOptions, 'services'> = {},
): Promise<T> {
  const data_dir = mkdtempSync(join(tmpdir(), 'run-service-proof-'));
  const assembly = installAssembly(await madeProgram(), join(data_dir, 'cdk.out'));
  const runtime = await startRuntime({
    dataDir: data_dir,
    cloudAssembly: async () => assembly,
    extraEnv: localCallbacks,
    port: 0,
    ...options,
  });
  const { base_url, site_url } = runtime;
  const admin = async (command: CommandInput) => {
    const result = await runtime.lambda.invoke('Admin', JSON.stringify(command));
    if (!result.ok) throw new Error(result.error.errorMessage);
    const answer = JSON.parse(result.payload);
    if (answer.error) throw new Error(result.payload);
    return answer;
  };
  try {
    return await prove({ base_url, site_url, data_dir, admin }, runtime);
  } finally {
    await runtime.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

interface HomeOptions {
  credits?: number;
  max_concurrent_runs?: number;
}

/** A workspace of the service with two companies in it, and a key with every scope. */
export async function newHome(
  { admin, base_url, site_url }: ProvedService,
  options: HomeOptions = {},
): Promise<Required<Home>> {
  const { workspace_id } = await admin({
    command: 'workspace.create',
    name: 'Proof',
    tier: 'enterprise',
    ...options,
  });
  const { api_key: key, key_id } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  const company = (name: string, city: string) => ({ type: 'company', name, fields: { city } });
  await admin({
    command: 'entity.import',
    workspace_id,
    entities: [company('Acme', 'Berlin'), company('Borealis', 'Oslo')],
  });
  return { workspace_id, key, key_id, access: { base_url, site_url } };
}
