// One local service for all e2e tests and the console's: loopback callbacks allowed, one workspace per test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { localCallbacks } from '../../lib/local/cli/local-callbacks.ts';
import { startRuntime } from '../../lib/local/runtime/runtime.ts';
import { placeInOtherEngine } from './other-engine.ts';
import { sharedAssembly } from './shared-assembly.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceAccess;
  }
}

export interface ServiceAccess {
  base_url: string;
  site_url: string;
  /** Cloud assembly, for tests that start their own runtime. */
  assembly: string;
  lambda: { endpoint: string; region: string; access_key_id: string; secret_access_key: string };
  log_dir: string;
}

interface Running {
  access: ServiceAccess;
  /** The projects of the run that use it. */
  users: number;
  stop(): Promise<void>;
}

declare global {
  /** Each project loads its own copy of this module, in the same process. */
  var serviceOfRun: Promise<Running> | undefined;
}

/** Starts the service of the test run, provides its addresses to the tests, and stops it after the last project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.serviceOfRun ??= startService();
  const service = await globalThis.serviceOfRun;
  service.users += 1;
  project.provide('service', service.access);
  return async () => {
    service.users -= 1;
    if (service.users === 0) await service.stop();
  };
}

async function startService(): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'run-service-e2e-'));
  const assembly = await sharedAssembly();
  const runtime = await startRuntime({
    dataDir: home,
    cloudAssembly: async () => assembly,
    extraEnv: localCallbacks,
    port: 0,
    metrics: { models: ['offline'] },
    dynamodbEndpoint: placeInOtherEngine(),
  });
  const { lambda_endpoint: endpoint, region, access_key_id, secret_access_key } = runtime.operator;
  return {
    access: {
      base_url: runtime.base_url,
      site_url: runtime.site_url,
      assembly,
      lambda: { endpoint, region, access_key_id, secret_access_key },
      log_dir: join(home, 'logs'),
    },
    users: 0,
    async stop() {
      await runtime.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
