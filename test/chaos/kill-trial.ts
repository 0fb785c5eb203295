// Kills the whole local service again and again while runs are in flight, and checks what is left of each.
import { setTimeout as wait } from 'node:timers/promises';
import { type ServiceProcess, serviceProcess } from './service-process.ts';

export interface Trial {
  runs: number;
  kills: number;
  seed: number;
}

/** What came of a trial; it is sound when `breaches` is empty. */
export interface TrialReport extends Trial {
  acknowledged: number;
  ended: Record<string, number>;
  /** Runs that were in flight when the service was killed, summed over the kills. */
  caught: number;
  breaches: string[];
  duration_ms: number;
}

interface Event {
  sequence: number;
  event_type: string;
  data: { step_index?: number; attempt?: number };
}

interface Run {
  id: string;
  status: string;
  usage: { calls: number };
}

interface Kind {
  steps: Record<string, unknown>[];
  /** How it must end, and the calls that must be counted. */
  status: string;
  calls: number;
}

const END_MS = 120_000;
const FIRST_PREY_MS = 20_000;
const FINAL = ['run.succeeded', 'run.failed', 'run.canceled'];

const step = (kind: string, instructions: string, params: Record<string, unknown> = {}) => ({
  kind,
  title: kind,
  instructions,
  params,
});
const fetchFive = step('fetch', '', { source: 'companies', limit: 5 });
const kinds: Kind[] = [
  {
    steps: [fetchFive, step('filter', 'companies [[delay:300]]'), step('reconstitute', '[[delay:200]]')],
    status: 'succeeded',
    calls: 2,
  },
  {
    steps: [fetchFive, step('transform', '[[delay:250]] sum up'), step('analyze', '[[delay:300]]')],
    status: 'succeeded',
    calls: 6,
  },
  {
    steps: [step('analyze', '[[delay:700]]'), step('analyze', '[[transient:1]]'), step('analyze', 'end')],
    status: 'succeeded',
    calls: 3,
  },
  { steps: [step('analyze', '[[delay:400]]'), step('analyze', '[[fail]]')], status: 'failed', calls: 1 },
];
const kindOf = (i: number) => kinds[i % kinds.length] ?? { steps: [], status: '', calls: 0 };

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Creates the runs as a client does: again with the same key until the answer says that the run exists. */
async function createAll(service: ServiceProcess, trial: Trial, ids: string[]): Promise<void> {
  const create = async (i: number) => {
    const body = { input_type: 'plan', plan: { title: `Run ${i}`, steps: kindOf(i).steps } };
    const { id } = await untilItWorks(() => service.call<Run>('POST', '/runs', body, `${trial.seed} ${i}`));
    if (ids[i] !== undefined && ids[i] !== id) throw new Error(`key ${i} made two runs`);
    ids[i] = id;
  };
  const queue = Array.from({ length: trial.runs }, (_, i) => i).values();
  const work = async () => {
    for (const i of queue) await create(i);
  };
  await Promise.all(Array.from({ length: 20 }, work));
}

async function untilItWorks<T>(act: () => Promise<T>): Promise<T> {
  const end = Date.now() + END_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(100);
    }
  }
}

async function readLog(service: ServiceProcess, id: string): Promise<Event[]> {
  const { data } = await service.call<{ data: Event[] }>('GET', `/runs/${id}/events?limit=1000`);
  return data;
}

async function endOf(service: ServiceProcess, id: string): Promise<{ run: Run; log: Event[] }> {
  return untilItWorks(async () => {
    const log = await readLog(service, id);
    if (!FINAL.includes(log.at(-1)?.event_type ?? '')) throw new Error(`run ${id} has not ended`);
    // Read after the end was seen, so that it is the ended run.
    return { run: await service.call<Run>('GET', `/runs/${id}`), log };
  });
}

function breachesOf(i: number, { run, log }: { run: Run; log: Event[] }): string[] {
  const kind = kindOf(i);
  const finals = log.filter(({ event_type }) => FINAL.includes(event_type));
  const starts = log
    .filter(({ event_type }) => event_type === 'step.started')
    .map(({ data }) => `${data.step_index}/${data.attempt}`);
  const checks: [string, boolean][] = [
    ['gap in the log', log.every(({ sequence }, n) => sequence === n + 1)],
    ['not one end', finals.length === 1 && finals[0]?.event_type === `run.${run.status}`],
    ['a step started twice', new Set(starts).size === starts.length],
    ['a second attempt', starts.every((start) => start.endsWith('/1'))],
    [`ended ${run.status}`, run.status === kind.status],
    [`${run.usage.calls} calls`, run.usage.calls === kind.calls],
  ];
  return checks.filter(([, holds]) => !holds).map(([what]) => `run ${i} ${run.id}: ${what}`);
}

/** How many of the acknowledged runs are in flight. */
async function inFlight(service: ServiceProcess, ids: string[]): Promise<number> {
  const runs = await Promise.all(
    ids.filter(Boolean).map((id) => service.call<Run>('GET', `/runs/${id}`).catch(() => undefined)),
  );
  await wait(10);
  return runs.filter((run) => run && ['pending', 'running'].includes(run.status)).length;
}

/** Kills the service at random moments while runs are being created and executed. */
async function killAgainAndAgain(service: ServiceProcess, trial: Trial, ids: string[]): Promise<number> {
  const random = randomFrom(trial.seed);
  let caught = 0;
  for (let kill = 0; kill < trial.kills; kill += 1) {
    await wait(200 + random() * 1300);
    // The first kill waits for its prey: on a slow machine nothing may have been acknowledged yet.
    const lookUntil = Date.now() + (kill === 0 ? FIRST_PREY_MS : 0);
    let open = await inFlight(service, ids);
    while (open === 0 && Date.now() < lookUntil) open = await inFlight(service, ids);
    caught += open;
    await service.kill();
    await service.start();
  }
  return caught;
}

/** One trial: every acknowledged run must end once, with a log without gaps, and give its slot back. */
export async function killTrial(trial: Trial): Promise<TrialReport> {
  const startedAt = Date.now();
  const service = serviceProcess();
  const ids: string[] = [];
  const ended: Record<string, number> = {};
  try {
    await service.start();
    const [caught] = await Promise.all([
      killAgainAndAgain(service, trial, ids),
      createAll(service, trial, ids),
    ]);
    const breaches: string[] = [];
    for (const [i, id] of ids.entries()) {
      const end = await endOf(service, id);
      ended[end.run.status] = (ended[end.run.status] ?? 0) + 1;
      breaches.push(...breachesOf(i, end));
    }
    if (trial.kills > 0 && caught === 0) breaches.push('no kill caught a run in flight');
    const { runs_in_flight } = await service.admin('workspace', 'show', service.workspaceId());
    if (runs_in_flight !== 0) breaches.push(`${runs_in_flight} slots are still taken`);
    const duration_ms = Date.now() - startedAt;
    return { ...trial, acknowledged: new Set(ids).size, ended, caught, breaches, duration_ms };
  } finally {
    await service.remove();
  }
}
