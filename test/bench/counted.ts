// What one run costs, counted: SDK calls, invocations, state transitions, capacity units. The same on every machine.
import { createServer } from 'node:http';
import { type Runtime, startRuntime } from '../../lib/local/runtime/runtime.ts';
import { create, succeeded, type Target } from './client.ts';
import { difference } from './figures.ts';

const NOT_OF_A_RUN = new Set(['Admin', 'ListEvents', 'Sweep', 'CompactRecords', 'StartAudits']);
const ofARun = (name: string) => !NOT_OF_A_RUN.has(name.split(' ')[0] ?? '');

const ofRuns = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => ofARun(name)));

const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Billed state transitions so far. */
function transitionsOf({ services }: Runtime): number {
  return services.get('states')?.figures?.().transitions ?? 0;
}

/** Counts a 3-step plan run with a webhook, once every function is warm. */
export async function countOneRun(assembly: string, dataDir: string) {
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    port: 0,
    checkRoles: true,
  });
  const posts: (() => void)[] = [];
  const receiver = createServer((_, response) => {
    response.end();
    posts.shift()?.();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const callback = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  try {
    const seeded = await runtime.lambda.invoke('Admin', JSON.stringify({ command: 'seed_demo' }));
    if (!seeded.ok) throw new Error(seeded.error.errorMessage);
    const target: Target = {
      base_url: runtime.base_url,
      api_key: String(JSON.parse(seeded.payload).api_key),
    };
    const oneRun = async () => {
      const posted = new Promise<void>((resolve) => posts.push(resolve));
      const { id } = await create(target, callback);
      await succeeded(target, id);
      await posted;
      // The attempt is recorded after the receiver has answered.
      await new Promise((resolve) => setTimeout(resolve, 500));
    };
    await oneRun();
    const before = {
      tally: runtime.usage.tally(),
      lambda: runtime.lambda.counts(),
      transitions: transitionsOf(runtime),
    };
    await oneRun();
    const calls = ofRuns(difference(runtime.usage.tally().calls, before.tally.calls));
    const invocations = ofRuns(difference(runtime.lambda.counts(), before.lambda));
    const after = runtime.usage.tally();
    return {
      sdk_calls: total(calls),
      sdk_calls_by_function: calls,
      lambda_invocations: total(invocations),
      state_transitions: transitionsOf(runtime) - before.transitions,
      // Reads include those of the long poll that waits for the end.
      read_units: after.read_units - before.tally.read_units,
      write_units: after.write_units - before.tally.write_units,
    };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await runtime.stop();
  }
}
