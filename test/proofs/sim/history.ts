// One simulated history: clients, operators and the cloud do their work under faults, then faults end, and
// everything must have come right.
import { limits } from '#contract/limits.ts';
import { comesAndGoes } from './away.ts';
import {
  cancels,
  changesSource,
  creates,
  deletes,
  endsMaintenance,
  grants,
  imports,
  type Knowledge,
  maintains,
  type Operation,
  redelivers,
  reruns,
  resumes,
  syncs,
} from './clients.ts';
import { sweepEveryMinute } from './cloud.ts';
import { breachesOf } from './invariants.ts';
import { comesToRest, type Rest } from './liveness.ts';
import { createsMonitor, deletesMonitor, firesMonitor, pauseAll } from './monitors.ts';
import { syncModel } from './sync-model.ts';
import { createWorld, type Trouble, type World } from './world.ts';

export interface Told {
  breaches: string[];
  /** How long the parts of the history took to end when its faults had ended. */
  longest: Rest['longest'];
  fired: Record<string, number>;
  wanted: number;
  useful: number;
  table_calls: number;
  /** How many commits were replayed through the legal transitions. */
  commits: number;
}

const CLIENTS = 3;
const OPERATIONS = 5;
/** Longer than a process lives without a call, and than a claim without a run is left alone. */
const DARK_MS = 10 * 60_000;
const operations: Operation[] = [
  ...[creates, creates, creates, creates, cancels, resumes, resumes, reruns, redelivers, deletes],
  ...[maintains, grants, syncs, syncs, syncs, imports, changesSource],
  ...[createsMonitor, createsMonitor, firesMonitor, deletesMonitor],
];

Reflect.set(limits, 'model_retry_delays_ms', [200, 400]);

async function client(world: World, known: Knowledge): Promise<void> {
  for (let i = 0; i < OPERATIONS; i += 1) {
    await world.scheduler.sleep(world.chance.below(5000));
    const operation = i === 0 ? creates : world.chance.pick(operations);
    await operation(world, known);
  }
}

async function happens(world: World, known: Knowledge): Promise<Rest> {
  void sweepEveryMinute(world, () => world.quiet || world.dark);
  const { scheduler, chance, model } = world;
  for (const name of model.model.names) void comesAndGoes({ scheduler, chance, away: model.away }, name);
  await Promise.all(Array.from({ length: CLIENTS }, () => client(world, known)));
  return world.endless ? endsInTheDark(world) : finish(world, known);
}

/** Lets every process die at its next call: what the table has then is all there is. */
async function endsInTheDark(world: World): Promise<Rest> {
  world.dark = true;
  await world.scheduler.sleep(DARK_MS);
  return { breaches: [], longest: {} };
}

/** Ends the faults of the core and runs until nothing is left to do. */
export async function finish(world: World, known: Knowledge): Promise<Rest> {
  let over = false;
  const sweeping = sweepEveryMinute(world, () => over);
  world.quiet = true;
  await endsMaintenance(world, known);
  await pauseAll(world, known);
  const rest = await comesToRest(world);
  // What is late is answered, too.
  await Promise.all(world.workers.begun);
  over = true;
  await sweeping;
  return { ...rest, breaches: rest.breaches.map((breach) => `seed ${world.seed}: ${breach}`) };
}

/** What clients know in the beginning: nothing. */
export const newKnowledge = (): Knowledge => ({
  runOfKey: new Map(),
  deleted: new Map(),
  synced: syncModel(),
  monitors: [],
  ...{ wanted: 0, useful: 0, granted: 0 },
});

/** Plays the history of a seed, and returns its breaches. */
export async function tell(seed: number, trouble: Trouble): Promise<Told> {
  const known = newKnowledge();
  const world = await createWorld(seed, trouble);
  let breaches: string[];
  let longest: Rest['longest'] = {};
  try {
    const rest = await world.scheduler.run(() => happens(world, known));
    longest = rest.longest;
    breaches = [...rest.breaches, ...(await world.scheduler.run(() => breachesOf(world, known)))];
  } catch (error) {
    breaches = [`seed ${seed}: ${error instanceof Error ? error.stack : error}`];
  } finally {
    world.stop();
  }
  const { fired, table_calls, trace } = world;
  const { commits } = trace;
  return { breaches, longest, fired, wanted: known.wanted, useful: known.useful, table_calls, commits };
}
