// What a read of records costs, counted: the SDK calls and read units of a run's own function with the read, and without.
import { startRuntime } from '../../lib/local/runtime/runtime.ts';
import type { Target } from './client.ts';
import { difference } from './figures.ts';
import { oneStep, questions } from './record-questions.ts';

/** A step that reads no record: what remains is what any run takes. */
const READS_NOTHING = { kind: 'inject_context', title: 'Nothing', params: { text: 'nothing' } };
const FUNCTION = 'ExecuteSteps';

/** SDK calls and read units, once everything is warm. */
export async function countReads(assembly: string, dataDir: string, api_key: string) {
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    port: 0,
    checkRoles: true,
  });
  const target: Target = { base_url: runtime.base_url, api_key };
  const count = async (step: object) => {
    for (let i = 0; i < 3; i += 1) await oneStep(target, step);
    const before = runtime.usage.tally();
    await oneStep(target, step);
    const after = runtime.usage.tally();
    const calls = Object.entries(difference(after.calls, before.calls));
    return {
      sdk_calls: Object.fromEntries(calls.filter(([name]) => name.startsWith(`${FUNCTION} `))),
      read_units: difference(after.read_units_by_function, before.read_units_by_function)[FUNCTION] ?? 0,
    };
  };
  try {
    const without = await count(READS_NOTHING);
    const reads: Record<string, { sdk_calls: Record<string, number>; read_units: number }> = {};
    for (const [name, step] of Object.entries(questions)) {
      const whole = await count(step);
      reads[name] = {
        sdk_calls: difference(whole.sdk_calls, without.sdk_calls),
        read_units: whole.read_units - without.read_units,
      };
    }
    return { run_without_a_read: without, reads };
  } finally {
    await runtime.stop();
  }
}
