// How long runs in flight are delayed when the service is killed and restarted at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Findings, Flags } from '../proof.ts';
import { end, type Started, startChild } from './child.ts';
import { request, succeeded, type Target } from './client.ts';
import { spread } from './figures.ts';

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
export async function measureRecovery(dataDir: string, { kills, runs }: { kills: number; runs: number }) {
  const toEnd: number[] = [];
  const toReady: number[] = [];
  let running: Started = await startChild(dataDir);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const { target } = running;
      const ids = await Promise.all(Array.from({ length: runs }, () => interrupted(target)));
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

/** The same alone, on an empty directory. Throws if a run that was in flight fails. */
export async function proveRecovery(flags: Flags<'kills' | 'runs'>): Promise<Findings> {
  const home = mkdtempSync(join(tmpdir(), 'run-service-recovery-'));
  try {
    return { ...(await measureRecovery(home, flags)), breaches: [] };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
