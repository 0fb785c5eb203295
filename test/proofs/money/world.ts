// Where a history takes place: a workspace with some records, a caller, a model, and how deadly it is.
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import type { Send } from '#outbound/request.ts';
import { newId } from '#platform/ids.ts';
import { pause } from '#platform/pause.ts';
import { entityWrites } from '#store/records/entity-items.ts';
import { transact } from '#store/table/table.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { deathAt, inProcess } from '../../support/faults.ts';
import { type Random, random } from '../../support/random.ts';
import {
  createWorkerSources,
  type Employed,
  newWorkers,
  type Setting,
  type Workers,
  workerWire,
} from '../sim/workers.ts';
import { type CountedModel, countedModel } from './counted-model.ts';

export const PARALLEL_CALLS = 3;
/** One, two or three models answer in turn. */
const MODELS = 3;
/** Marks cost more than the cap of a tier, so it stops most runs; without it they go on. */
export const NO_CAP = { daily_cost_cap_usd: 1e12 };
const ITEMS = 4;

/**
 * What became of an invocation: its calls must be counted, or must not be (it was refused); its current ones may be
 * lost when it died.
 */
type Outcome = 'counted' | 'refused' | 'died';

export interface History {
  seed: number;
  workspace_id: string;
  credits: number | undefined;
  model: CountedModel;
  outcomes: Map<number, Outcome>;
  /** Invocations whose run was taken over by another. */
  mayHaveLostLease: Set<number>;
  done: ReturnType<typeof nothingHappened>;
}

export interface World extends History {
  chance: Random;
  workers: Workers;
  /** Messages of workers that were never answered. */
  unanswered: string[];
  caller: CallerWithCosts;
  /** One in this many invocations dies. */
  deadly: number;
  /** From here on nothing dies or interferes. */
  quiet: boolean;
}

/** How often each thing has happened in a history that begins. */
export const nothingHappened = () => ({
  created: 0,
  refused: 0,
  crashes: 0,
  cancels: 0,
  resumes: 0,
  reruns: 0,
  takeovers: 0,
  given_up: 0,
  waits: 0,
  /** Slices that ended with an open job. */
  jobs: 0,
  /** Messages of workers that were taken. */
  messages: 0,
});

/** What the sources have that ask workers: short times, since a history has many. */
export const workerSettings: readonly Setting[] = [
  { timeout_seconds: 20, attempts: 1 },
  { timeout_seconds: 30, attempts: 2, heartbeat_seconds: 10 },
  { timeout_seconds: 30, attempts: 3 },
];
/** Manners are of minutes; here they take a part of that. */
const FASTER = 6;

/** To whom the sources of each workspace send their jobs. */
export const wires = new Map<string, Send>();

/** Lets workers take the jobs of a world; once it is quiet, they complete each. */
function employ(world: World): void {
  const { workspace_id, chance, workers, unanswered, done } = world;
  const employed: Employed = {
    ...{ workspace_id, chance, workers },
    sleep: (ms) => pause(ms / FASTER),
    async request(work) {
      const answered = await mayDie(world, 'client', work);
      if (answered.died) throw new Error('Runtime.ExitError');
      done.messages += 1;
      return answered.value;
    },
    note: () => undefined,
    gaveUp: (what) => void unanswered.push(what),
  };
  wires.set(
    workspace_id,
    workerWire(employed, () => world.quiet),
  );
}

/** Carries out one invocation, which may die. Throws what it throws. */
export async function mayDie<T>(
  { chance, outcomes, done, quiet, deadly }: World,
  kind: 'client' | 'task',
  work: () => Promise<T>,
  id = outcomes.size + 1,
): ReturnType<typeof inProcess<T>> {
  outcomes.set(id, 'died');
  const dies_at = !quiet && chance.oneIn(deadly) ? 1 + chance.below(kind === 'task' ? 24 : 10) : 0;
  const ended = await inProcess({ id, faultPlan: deathAt(dies_at, chance.oneIn(2)) }, work);
  if (ended.died) done.crashes += 1;
  else outcomes.set(id, 'counted');
  return ended;
}

/** A new workspace; the same seed gives the same one. */
export async function createWorld(seed: number): Promise<World> {
  const chance = random(seed);
  const credits = chance.oneIn(4) ? undefined : 50 + chance.below(1000);
  const { workspace_id } = await createWorkspace({
    name: 'History',
    tier: 'pro',
    ...(credits !== undefined && { credits }),
    ...(chance.oneIn(4) ? {} : NO_CAP),
  });
  const workspace = await workspaces.get(workspace_id);
  if (!workspace) throw new Error('no workspace');
  const at = Date.now();
  const record = (i: number) =>
    entityWrites(
      {
        id: newId(),
        workspace_id,
        type: 'thing',
        name: `Thing ${i}`,
        fields: {},
        created_at: at,
        updated_at: at,
      },
      { vector: [1] },
    );
  await transact(Array.from({ length: ITEMS }, (_, i) => record(i)).flat());
  const key = { key_id: 'key', workspace_id, name: 'key', scopes: [], created_at: at };
  const world: World = {
    seed,
    workspace_id,
    credits,
    workers: newWorkers(),
    unanswered: [],
    model: countedModel(chance, 1 + (seed % MODELS)),
    outcomes: new Map(),
    mayHaveLostLease: new Set(),
    done: nothingHappened(),
    chance,
    caller: { key, workspace, spent_today: { workspace: 0n, key: 0n } },
    deadly: chance.pick([1, 2, 4, 8]),
    quiet: false,
  };
  await createWorkerSources(workspace_id, workerSettings);
  employ(world);
  return world;
}
