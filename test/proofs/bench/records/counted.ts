// What a read of records costs, counted: the SDK calls and read units of a run's own function with the read, and
// without.
import { localCallbacks } from '../../../../lib/local/cli/local-callbacks.ts';
import { type Runtime, startRuntime } from '../../../../lib/local/runtime/runtime.ts';
import { observedServices } from '../../../support/observed/observed-services.ts';
import type { Usage } from '../../../support/observed/usage.ts';
import { request, type Target } from '../client.ts';
import { difference } from '../figures.ts';
import { oneStep, questions } from './questions.ts';

/** A step that reads no record: what remains is what any run takes. */
const READS_NOTHING = { kind: 'inject_context', title: 'Nothing', params: { text: 'nothing' } };
const FUNCTION = 'ExecuteSteps';

/**
 * How long records are imported before reads are counted again: longer than readers look back into the log of changes.
 */
const IMPORT_MS = 20_000;
const LINES = 500;

interface Counts {
  sdk_calls: Record<string, number>;
  read_units: number;
}

/**
 * SDK calls and read units of each question, once everything is warm: in a log that has been quiet for long, and right
 * after an import.
 */
export async function countReads(assembly: string, dataDir: string, api_key: string) {
  const { services, usage } = observedServices();
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    extraEnv: localCallbacks,
    port: 0,
    services,
  });
  const target: Target = { base_url: runtime.base_url, api_key };
  try {
    const without = await countOf(usage, target, READS_NOTHING);
    const reads = await countAll(usage, target, without);
    await importFor(IMPORT_MS, runtime, target);
    const reads_after_import = await countAll(usage, target, without);
    return { run_without_a_read: without, reads, reads_after_import };
  } finally {
    await runtime.stop();
  }
}

async function countAll(usage: Usage, target: Target, without: Counts): Promise<Record<string, Counts>> {
  const reads: Record<string, Counts> = {};
  for (const [name, step] of Object.entries(questions)) {
    const whole = await countOf(usage, target, step);
    reads[name] = {
      sdk_calls: difference(whole.sdk_calls, without.sdk_calls),
      read_units: whole.read_units - without.read_units,
    };
  }
  return reads;
}

async function countOf(usage: Usage, target: Target, step: object): Promise<Counts> {
  await oneStep(target, step);
  const before = usage.tally();
  await oneStep(target, step);
  const after = usage.tally();
  const calls = Object.entries(difference(after.calls, before.calls));
  return {
    sdk_calls: Object.fromEntries(calls.filter(([name]) => name.startsWith(`${FUNCTION} `))),
    read_units: difference(after.read_units_by_function, before.read_units_by_function)[FUNCTION] ?? 0,
  };
}

/** Imports the same few records again and again, changed each time, as fast as the service takes them. */
async function importFor(ms: number, { lambda }: Runtime, target: Target): Promise<void> {
  const me = await request(target, 'GET', '/me', 200);
  const workspace_id = Reflect.get(Object(me.workspace), 'id');
  const end = Date.now() + ms;
  const importOn = async (client: number) => {
    for (let round = 0; Date.now() < end; round += 1) {
      const entities = Array.from({ length: LINES }, (_, n) =>
        lineOf(client * LINES + n, `${Date.now()} ${round}`),
      );
      const reply = await lambda.invoke(
        'Admin',
        JSON.stringify({ command: 'entity.import', workspace_id, entities }),
      );
      if (!reply.ok) throw new Error(reply.error.errorMessage);
    }
  };
  await Promise.all([0, 1, 2].map(importOn));
}

const lineOf = (n: number, text: string) => ({
  id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
  type: 'noise',
  name: `Noise ${n}`,
  fields: { text },
  external_uri: `noise:${n}`,
});
