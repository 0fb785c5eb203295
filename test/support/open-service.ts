// A service of a test's own whose table the test opens itself. The store's client is made once for a process, so such a test has one alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../lib/local/runtime/runtime.ts';
import { ownEngine } from './other-engine.ts';
import { sharedService } from './service.ts';
import { pointStoreAt } from './table.ts';

export interface OpenService {
  runtime: Runtime;
  dataDir: string;
  /** What a function answers. Throws what it fails with. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  invoke(name: string, input?: object): Promise<any>;
  stop(): Promise<void>;
}

/** Starts one, and lets the store of this process use its table. */
export async function openService(
  options: Pick<RuntimeOptions, 'checkRoles' | 'extraEnv'> = {},
): Promise<OpenService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-open-'));
  const engine = await ownEngine(dataDir);
  const { assembly } = sharedService();
  const runtime = await startRuntime({
    ...options,
    dataDir,
    cloudAssembly: async () => assembly,
    dynamodbEndpoint: engine.url,
  });
  pointStoreAt(engine.url);
  return {
    runtime,
    dataDir,
    async invoke(name, input = {}) {
      const result = await runtime.lambda.invoke(name, JSON.stringify(input));
      if (!result.ok) throw new Error(result.error.errorMessage);
      return JSON.parse(result.payload);
    },
    async stop() {
      await runtime.stop();
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
