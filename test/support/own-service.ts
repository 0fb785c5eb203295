// A service of a test's own, from the shared assembly: with other variables, and with levers on its functions and calls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Runtime, startRuntime } from '../../lib/local/runtime.ts';
import { useService } from './service.ts';

export interface OwnService {
  runtime: Runtime;
  stop(): Promise<void>;
}

/** Starts it with variables that every function gets, and sends this file's requests to it. */
export async function startOwnService(extraEnv: Record<string, string>): Promise<OwnService> {
  const { assembly } = inject('service');
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-own-'));
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    port: 0,
    checkRoles: true,
    extraEnv,
  });
  const { lambda_endpoint: endpoint, region, access_key_id, secret_access_key } = runtime.operator;
  useService({
    base_url: runtime.base_url,
    site_url: runtime.site_url,
    assembly,
    lambda: { endpoint, region, access_key_id, secret_access_key },
    log_dir: join(dataDir, 'logs'),
  });
  const stop = async () => {
    await runtime.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { runtime, stop };
}
