// Kills the local service, and its functions again and again while runs are in flight, and checks what remains of each
// run.
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, random } from '../../support/random.ts';
import { type Receiver, receiveWebhooks } from './receiver.ts';
import { bodyOf, breachesOf, type Event, isFinished, ledgerBreaches, type Remains } from './runs-to-kill.ts';
import { type ServiceProcess, type StartOptions, serviceProcess } from './service-process.ts';
import { strike, type Victim, victims } from './strike.ts';

export interface Trial {
  runs: number;
  kills: number;
  seed: number;
  /** Whether to wait until the webhooks are delivered: minutes, where a message was lost. */
  delivered: boolean;
}

/** What came of a trial; it is sound when `breaches` is empty. */
export interface TrialReport extends Trial {
  acknowledged: number;
  ended: Record<string, number>;
  killed: Record<Victim, number>;
  /** Runs that were in flight at a kill, summed over the kills. */
  caught: number;
  /** From the last kill to the end of the last run. */
  ended_after_ms: number;
  breaches: string[];
  duration_ms: number;
}

interface Scene extends Trial {
  service: ServiceProcess;
  receiver: Receiver;
  chance: Random;
  /** Runs by their number, and those that are not known to have ended. */
  ids: string[];
  open: Set<string>;
  /** How many runs may have been created by now: each kill must find some in flight. */
  released: number;
  report: TrialReport;
}

/** So long a kill waits for runs in flight, and then for a random moment of theirs. */
const PREY_MS = 20_000;
const MOMENT_MS = 800;
/** One kill after the other can meet the same create. */
const CREATED_MS = 15 * 60_000;
const GIVE_UP_MS = 120_000;
/** A delivery whose message was lost is sent again by the sweep, which leaves it to the queue before. */
const DELIVERED_MS = 12 * 60_000;
const CREDITS = 10_000_000;

async function untilItWorks<T>(act: () => Promise<T>, withinMs = GIVE_UP_MS): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(100);
    }
  }
}

/** Creates the runs as a client does: again with the same key until the answer confirms the run. */
async function createAll(scene: Scene): Promise<void> {
  const { service, receiver, ids, open } = scene;
  const create = async (i: number) => {
    while (i >= scene.released) await wait(20);
    const body = bodyOf(i, receiver.url);
    const post = () => service.call<{ id: string }>('POST', '/runs', body, `${scene.seed} ${i}`);
    const { id } = await untilItWorks(post, CREATED_MS);
    if (ids.includes(id)) scene.report.breaches.push(`two keys made run ${id}`);
    ids[i] = id;
    open.add(id);
  };
  const queue = Array.from({ length: scene.runs }, (_, i) => i).values();
  const work = async () => {
    for (const i of queue) await create(i);
  };
  await Promise.all(Array.from({ length: 20 }, work));
}

/** How many of the acknowledged runs are in flight; forgets those that have ended. */
async function inFlight({ service, open }: Scene): Promise<number> {
  await Promise.all(
    [...open].map(async (id) => {
      const run = await service.call<{ status: string }>('GET', `/runs/${id}`).catch(() => undefined);
      if (run && !['pending', 'running'].includes(run.status)) open.delete(id);
    }),
  );
  return open.size;
}

/** Kills at random moments while runs are being created and executed. */
async function killAgainAndAgain(scene: Scene): Promise<void> {
  const { service, chance, report, kills, runs } = scene;
  for (let kill = 0; kill < kills; kill += 1) {
    scene.released = Math.ceil(((kill + 1) * runs) / kills);
    const lookUntil = Date.now() + PREY_MS;
    while ((await inFlight(scene)) === 0 && Date.now() < lookUntil) await wait(10);
    await wait(chance.below(MOMENT_MS));
    report.caught += await inFlight(scene);
    const victim = victims[kill % victims.length] ?? 'service';
    report.killed[victim] += 1;
    await strike(service, victim);
  }
}

async function remainsOf({ service, receiver }: Scene, id: string, delivered: boolean): Promise<Remains> {
  const { data: log } = await service.call<{ data: Event[] }>('GET', `/runs/${id}/events?limit=1000`);
  if (!isFinished(log)) throw new Error(`run ${id} has not ended`);
  const { data } = await service.call<{ data: Remains['deliveries'] }>(
    'GET',
    `/runs/${id}/webhook-deliveries`,
  );
  if (delivered && data.some(({ status }) => status === 'pending'))
    throw new Error(`${id}: delivery pending`);
  // Read after the end was seen, so that it is the ended run.
  const run = await service.call<Remains['run']>('GET', `/runs/${id}`);
  return { run, log, deliveries: data, posted: receiver.posted.get(id) ?? [] };
}

async function judge(scene: Scene, lastKillAt: number): Promise<void> {
  const { service, ids, report } = scene;
  for (const id of ids) await untilItWorks(() => remainsOf(scene, id, false));
  report.ended_after_ms = Date.now() - lastKillAt;
  const all: Remains[] = [];
  for (const [i, id] of ids.entries()) {
    const remains = await untilItWorks(() => remainsOf(scene, id, scene.delivered), DELIVERED_MS);
    report.ended[remains.run.status] = (report.ended[remains.run.status] ?? 0) + 1;
    report.breaches.push(...breachesOf(i, remains, scene.delivered));
    all.push(remains);
  }
  const workspace = service.workspaceId();
  const { entries } = await service.admin('ledger', 'list', '--workspace', workspace);
  const shown = await service.admin('workspace', 'show', workspace);
  const { runs_in_flight, credits_held, credits_left } = shown;
  if (runs_in_flight !== 0) report.breaches.push(`${runs_in_flight} slots are still taken`);
  const used = all.reduce((sum, { run }) => sum + (run.usage.credits_used ?? 0), 0);
  if (credits_held !== 0 || credits_left !== CREDITS - used)
    report.breaches.push(`${credits_left} credits left and ${credits_held} held of ${CREDITS} - ${used}`);
  if (Array.isArray(entries))
    report.breaches.push(
      ...ledgerBreaches(
        entries,
        all.map(({ run }) => run),
        credits_left,
      ),
    );
}

/**
 * One trial: every acknowledged run must end once, with a log without gaps, one finished delivery, and its slot and
 * reservation released.
 */
export async function killTrial(
  trial: Trial,
  options: Omit<StartOptions, 'flags'> = {},
): Promise<TrialReport> {
  const startedAt = Date.now();
  const service = serviceProcess({ ...options, flags: ['--allow-local-callbacks'] });
  const receiver = await receiveWebhooks();
  const report: TrialReport = {
    ...trial,
    acknowledged: 0,
    ended: {},
    killed: { service: 0, worker: 0, handles: 0 },
    caught: 0,
    ended_after_ms: 0,
    breaches: [],
    duration_ms: 0,
  };
  const chance = random(trial.seed);
  const scene: Scene = { ...trial, service, receiver, chance, ids: [], open: new Set(), released: 0, report };
  try {
    await service.start();
    const settings = ['--credits', String(CREDITS), '--max-concurrent-runs', '200'];
    await service.admin('workspace', 'update', service.workspaceId(), ...settings);
    const killing = killAgainAndAgain(scene).then(() => Date.now());
    const [lastKillAt] = await Promise.all([killing, createAll(scene)]);
    await judge(scene, lastKillAt);
    if (trial.kills > 0 && report.caught === 0) report.breaches.push('no kill caught a run in flight');
    return { ...report, acknowledged: new Set(scene.ids).size, duration_ms: Date.now() - startedAt };
  } finally {
    receiver.close();
    await service.remove();
  }
}
