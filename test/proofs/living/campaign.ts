// A campaign over a living service: rounds of a workload, a nemesis that strikes in each of them, and checkers of what
// is left in the end.
import { setTimeout as wait } from 'node:timers/promises';
import type { Findings } from '../proof.ts';
import { type Random, random } from '../random.ts';
import type { Ended } from './checkers/ends.ts';
import type { Nemesis } from './nemeses.ts';
import { inWorld, type World } from './world.ts';

export interface Workload {
  /** Fewer operations of clients in a round prove nothing. */
  least_operations: number;
  /** Does the work of a round, which ends when its last request is answered. */
  round(world: World, round: number, rounds: number): Promise<void>;
  /** How much is under way that a fault can meet. */
  inFlight(world: World): Promise<number>;
  /** After the last fault: waits until all is over, and reads it. What never ends is a breach of the world's. */
  readBack(world: World): Promise<Ended[]>;
}

/** What is wrong with what clients saw, and with what is left. */
type Checker = (world: World, ended: readonly Ended[]) => Promise<string[]>;

/** A row of the list of campaigns. */
export interface Row {
  workload: Workload;
  nemesis: Nemesis;
  checkers: readonly Checker[];
  rounds: number;
  /** In each round. */
  strikes: number;
}

/** So long a fault waits for work, and then for a random moment of it. */
const WORK_MS = 20_000;
const MOMENT_MS = 800;

/** Runs the campaign and judges it. */
export async function runCampaign(
  { workload, nemesis, checkers, rounds, strikes }: Row,
  start: { seed: number },
): Promise<Findings> {
  return inWorld({ ...start, preload: nemesis.preload }, async (world) => {
    const struck: Record<string, number> = {};
    let caught = 0;
    for (let round = 0; round < rounds; round += 1) {
      const chance = random(start.seed, -1 - round);
      const strike = async () => {
        for (let i = 0; i < strikes; i += 1) {
          caught += await amidWork(world, workload, chance);
          const what = await nemesis.strike(world.service, chance, round * strikes + i);
          struck[what] = (struck[what] ?? 0) + 1;
        }
      };
      await Promise.all([workload.round(world, round, rounds), strike()]);
    }
    const lastAt = Date.now();
    const ended = await workload.readBack(world);
    const ended_after_ms = Date.now() - lastAt;
    const operations = world.histories.flatMap((history) => history.operations);
    const breaches = [...world.breaches];
    for (const check of checkers) breaches.push(...(await check(world, ended)));
    if (rounds * strikes > 0 && caught === 0) breaches.push('no fault met work under way');
    if (operations.length < workload.least_operations * rounds)
      breaches.push(`too few operations: ${operations.length} in ${rounds} rounds`);
    const by_status = Object.groupBy(ended, ({ remains }) => remains.run.status);
    return {
      breaches,
      struck,
      caught,
      ended: Object.fromEntries(Object.entries(by_status).map(([status, all = []]) => [status, all.length])),
      ended_after_ms,
      operations: operations.length,
      by_outcome: counted(operations),
      ...world.figures,
    };
  });
}

/** Waits for work, then for a moment of it; how much was under way then. */
async function amidWork(world: World, work: Workload, chance: Random): Promise<number> {
  const lookUntil = Date.now() + WORK_MS;
  while ((await work.inFlight(world)) === 0 && Date.now() < lookUntil) await wait(10);
  await wait(chance.below(MOMENT_MS));
  return work.inFlight(world);
}

function counted(operations: readonly { kind: string; outcome: string }[]): Record<string, number> {
  const groups = Object.groupBy(operations, ({ kind, outcome }) => `${kind} ${outcome}`);
  return Object.fromEntries(Object.entries(groups).map(([name, all = []]) => [name, all.length]));
}
