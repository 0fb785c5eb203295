// What grows with numbers: many runs in flight, many runs that are read, many steps in a run.
import { create, inParallel, request, succeeded, type Target } from './client.ts';
import { percentile, spread } from './figures.ts';

const CLIENTS = 16;
const STEPS_MAX = 50;
const EDGE = 10;

/** Creates by 16 clients, each one after the other, whether earlier runs have ended or not; then waits for them all. */
export async function createWithoutWaiting(target: Target, times: number) {
  const samples: number[] = [];
  const ids: string[] = [];
  await inParallel(CLIENTS, times, async () => {
    const { id, took_ms } = await create(target);
    samples.push(took_ms);
    ids.push(id);
  });
  for (const id of ids) await succeeded(target, id);
  return spread(samples);
}

/** Reads of the status of 16 runs in turn. */
export async function readsOfMany(target: Target): Promise<() => Promise<unknown>> {
  const ids: string[] = [];
  await inParallel(CLIENTS, CLIENTS, async () => {
    const { id } = await create(target);
    await succeeded(target, id);
    ids.push(id);
  });
  let turn = 0;
  return () => {
    turn += 1;
    return request(target, 'GET', `/runs/${ids[turn % CLIENTS]}`, 200);
  };
}

const plan = {
  title: 'Fifty steps',
  steps: Array.from({ length: STEPS_MAX }, (_, i) => ({
    kind: 'fetch',
    title: `Step ${i + 1}`,
    params: { source: 'companies', limit: 1 },
  })),
};

/** What a step costs among the first and among the last ten of fifty cheap ones, from its start to the next one's. */
export async function manySteps(target: Target, times: number) {
  const first: number[] = [];
  const last: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const { id } = await request(target, 'POST', '/runs', 202, { input_type: 'plan', plan });
    await succeeded(target, String(id));
    const { steps, completed_at } = await request(target, 'GET', `/runs/${id}`, 200);
    const starts = Array.isArray(steps) ? steps.map((step) => Number(step.started_at)) : [];
    const begun = [...starts, Number(completed_at)];
    const each = (from: number) => ((begun[from + EDGE] ?? Number.NaN) - (begun[from] ?? Number.NaN)) / EDGE;
    first.push(each(0));
    last.push(each(STEPS_MAX - EDGE));
  }
  return {
    first_ten_ms_each: percentile(first, 50),
    last_ten_ms_each: percentile(last, 50),
    runs: times,
  };
}
