// How long runs in flight are delayed when the service is killed and restarted at once.
import { end, type Started, startChild } from './child.ts';
import { request, succeeded, type Target } from './client.ts';
import { spread } from './figures.ts';

const KILLS = 4;
const RUNS = 6;
/** The model call that each kill interrupts, and that is made again: a part of every figure. */
const CALL_MS = 400;

const plan = {
  title: 'Interrupted',
  steps: [
    { kind: 'fetch', title: 'Companies', params: { source: 'companies', limit: 2 } },
    { kind: 'analyze', title: 'Findings', instructions: `[[delay:${CALL_MS}]] findings` },
    { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['text'] } },
  ],
};

async function interrupted(target: Target): Promise<string> {
  const { id } = await request(target, 'POST', '/runs', 202, { input_type: 'plan', plan });
  for (;;) {
    const { steps } = await request(target, 'GET', `/runs/${id}`, 200);
    if (Array.isArray(steps) && steps[1]?.status === 'running') return String(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** From the kill to the end of each run that was in flight, and from the start that follows to its being ready. */
export async function measureRecovery(dataDir: string) {
  const toEnd: number[] = [];
  const toReady: number[] = [];
  let running: Started = await startChild(dataDir);
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { target } = running;
      const ids = await Promise.all(Array.from({ length: RUNS }, () => interrupted(target)));
      const killedAt = Date.now();
      await end(running.child, 'SIGKILL');
      running = await startChild(dataDir);
      toReady.push(running.ready_ms);
      for (const id of ids) {
        await succeeded(running.target, id);
        const run = await request(running.target, 'GET', `/runs/${id}`, 200);
        toEnd.push(Number(run.completed_at) - killedAt);
      }
    }
    return { kill_to_succeeded: spread(toEnd), ready_again: spread(toReady) };
  } finally {
    await end(running.child);
  }
}
