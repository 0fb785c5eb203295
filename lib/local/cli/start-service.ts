// The local service as a start runs it: data folder, assembly, runtime, demo workspace, local.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointCheck } from '../../../functions/contract/endpoint-check.ts';
import { DEMO_KEY_PATH } from '../api-gateway/demo-key.ts';
import { isLoopback } from '../host-check.ts';
import { parseObject, stringAt } from '../json-values.ts';
import { programFolder } from '../program-folder.ts';
import { type Runtime, type Started, startRuntime } from '../runtime/runtime.ts';
import { SetupError } from '../setup-error.ts';
import { type DataFolder, diskProblem, openDataFolder } from './data-folder.ts';
import type { Flags } from './flags.ts';
import { installAssembly } from './install-assembly.ts';
import { localCallbacks } from './local-callbacks.ts';
import { callsProviders, endpointsOf, modelSettings, providerEnv } from './provider-env.ts';
import { markRelease, releaseIn } from './release.ts';

/** A running service. */
export interface LocalService {
  runtime: Runtime;
  dataDir: string;
  /** The demo workspace and a key with every scope; absent with `--no-seed`. */
  demo: { workspace_id: string; api_key: string } | undefined;
  /** Loads what a client needs next, whenever nothing else is asked. Never rejects. */
  loadNext(): Promise<void>;
  /** Asks each endpoint of the models one small question; none with the offline ones alone. Never rejects. */
  checkModels(): Promise<EndpointCheck[]>;
  stop(): Promise<void>;
}

/** By this file other programs find the running service. */
const ACCESS_FILES = ['local.json', 'aws.json'];
const WARM = ['Start', 'ExecuteSteps', 'Read'];
/** What a client needs next. */
const NEXT = ['Stream', 'DeliverWebhook', 'Site'];
const LOOKS_EVERY_MS = 50;
/** An idle thread takes about 30 MB. As many as a client and the sweep use all the time. */
const THREAD_LIMIT = 7;

/**
 * Starts the service and writes `local.json` when it is ready (rules.md: local 2). Calls `lost` when its data is lost
 * for good. Throws SetupError.
 */
export async function startService(flags: Flags, lost: (reason: string) => void): Promise<LocalService> {
  const folder = openDataFolder(flags.dataDir, flags.reset);
  try {
    markRelease(folder.path, releaseIn(programFolder));
    let demo: LocalService['demo'];
    const offersDemo = flags.seed && isLoopback(flags.host);
    const runtime = await startRuntime({
      dataDir: folder.path,
      cloudAssembly: async () => installAssembly(programFolder, join(folder.path, 'cdk.out')),
      settings: {
        ...modelSettings(flags),
        ...(flags.otlpEndpoint !== undefined && { otlp_endpoint: flags.otlpEndpoint }),
      },
      host: flags.host,
      port: flags.port,
      dynamodbEndpoint: flags.dynamodbEndpoint,
      extraEnv: {
        ...providerEnv(flags),
        ...(flags.allowLocalCallbacks && localCallbacks),
        ...(offersDemo && { DEMO_KEY_PATH }),
      },
      threadLimit: THREAD_LIMIT,
      metrics: flags.metrics ? { models: endpointsOf(flags) } : undefined,
      async prepare(started) {
        demo = await prepare(flags, folder, started);
      },
      demoKey: () => (offersDemo ? demo?.api_key : undefined),
      lost(reason) {
        for (const name of ACCESS_FILES) folder.remove(name);
        lost(reason);
      },
    });
    const stop = async () => {
      for (const name of ACCESS_FILES) folder.remove(name);
      await runtime.stop();
      folder.release();
    };
    const checkModels = () => checkedModels(flags, runtime);
    const loadNext = () => load(NEXT, runtime);
    return { runtime, dataDir: folder.path, demo, loadNext, checkModels, stop };
  } catch (error) {
    folder.release();
    throw diskProblem(folder.path, error) ?? error;
  }
}

/** Writes the files for other programs and warms the functions of the first requests. Returns the demo workspace. */
async function prepare(flags: Flags, folder: DataFolder, runtime: Started): Promise<LocalService['demo']> {
  folder.write('aws.json', runtime.operator);
  const demo = flags.seed ? await demoWorkspace(folder, runtime) : undefined;
  // After the demo workspace: its large function leaves memory that these threads reuse.
  await Promise.all(WARM.map(runtime.lambda.warm));
  const { site_url, base_url } = runtime;
  folder.write('local.json', { base_url, site_url, ...demo, pid: process.pid });
  return demo;
}

/** Creates the demo workspace on the first start; later starts read it, with the same key, from `demo.json`. */
async function demoWorkspace(
  folder: DataFolder,
  runtime: Started,
): Promise<{ workspace_id: string; api_key: string }> {
  const file = join(folder.path, 'demo.json');
  if (!existsSync(file)) {
    const result = await runtime.lambda.invoke('Admin', JSON.stringify({ command: 'seed_demo' }));
    if (!result.ok)
      throw new SetupError(`the demo workspace could not be created: ${result.error.errorMessage}`);
    // The Admin function is large and rarely used; the admin CLI starts it again.
    await runtime.lambda.kill('Admin');
    const made = parseObject(result.payload, 'the answer to seed_demo');
    folder.write('demo.json', {
      workspace_id: stringAt(made.workspace_id, 'seed_demo'),
      api_key: stringAt(made.api_key, 'seed_demo'),
    });
  }
  const demo = parseObject(readFileSync(file, 'utf8'), file);
  return { workspace_id: stringAt(demo.workspace_id, file), api_key: stringAt(demo.api_key, file) };
}

async function load(names: readonly string[], { lambda }: Runtime): Promise<void> {
  try {
    for (const name of names) {
      while (Object.values(lambda.open()).some((count) => count > 0))
        await pause(LOOKS_EVERY_MS, undefined, { ref: false });
      await lambda.warm(name);
    }
  } catch {
    // The service stops.
  }
}

async function checkedModels(flags: Flags, { lambda }: Runtime): Promise<EndpointCheck[]> {
  if (!callsProviders(flags)) return [];
  try {
    const result = await lambda.invoke('Admin', JSON.stringify({ command: 'model.check', quick: false }));
    const answer: { endpoints?: EndpointCheck[] } = result.ok ? JSON.parse(result.payload) : {};
    return answer.endpoints ?? [];
  } catch {
    // The service stops.
    return [];
  }
}
