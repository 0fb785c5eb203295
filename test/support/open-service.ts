// A test's own service whose table the test opens too. The store's client is created once per process, so one per test
// file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCallbacks } from '../../lib/local/cli/local-callbacks.ts';
import { openEngine } from '../../lib/local/dynamodb/engine/engine.ts';
import type { TableService } from '../../lib/local/dynamodb/engine/table-service.ts';
import { connectDynamoDb } from '../../lib/local/dynamodb/other-engine.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../lib/local/runtime/runtime.ts';
import { placeInOtherEngine } from './other-engine.ts';
import { sharedService } from './service.ts';
import { storeOn } from './store-in-process.ts';

export interface OpenService {
  runtime: Runtime;
  dataDir: string;
  /** The reply of a function. Throws its failure. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  invoke(name: string, input?: object): Promise<any>;
  stop(): Promise<void>;
}

/** Starts one, and makes this process's store use its table. */
export async function openService(
  options: Partial<Pick<RuntimeOptions, 'services' | 'extraEnv' | 'cloudAssembly'>> = {},
): Promise<OpenService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-open-'));
  const place = placeInOtherEngine();
  const { assembly } = sharedService();
  const runtime = await startRuntime({
    cloudAssembly: async () => assembly,
    ...options,
    extraEnv: { ...localCallbacks, ...options.extraEnv },
    dataDir,
    dynamodbEndpoint: place,
  });
  const table = place === undefined ? besideService(dataDir) : connectDynamoDb(place);
  storeOn(table.perform);
  return {
    runtime,
    dataDir,
    async invoke(name, input = {}) {
      const result = await runtime.lambda.invoke(name, JSON.stringify(input));
      if (!result.ok) throw new Error(result.error.errorMessage);
      return JSON.parse(result.payload);
    },
    async stop() {
      await table.stop();
      await runtime.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens the data of a running service a second time. */
function besideService(dataDir: string): TableService {
  const engine = openEngine(join(dataDir, 'tables.db'));
  return { perform: async (operation, input) => engine.perform(operation, input), stop: engine.close };
}
