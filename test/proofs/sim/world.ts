// The setting of a simulated history: a table, a cloud, a workspace with a key, records and a bridge, and a neighbor
// that must stay invisible.

import { scopes } from '#contract/scopes.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import type { SliceSetting } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import type { Send } from '#outbound/request.ts';
import { newId } from '#platform/ids.ts';
import { slotsInCounters } from '#store/money/claim-slot.ts';
import * as bridges from '#store/records/bridge-states.ts';
import { entityWrites } from '#store/records/entity-items.ts';
import { logSample } from '#store/runs/run-expiry.ts';
import { type Item, transact } from '#store/table/table.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { bridgeResources } from '../../support/bridge-resources.ts';
import { currentProcess, type FaultKind, type FaultPlan, kindsFor } from '../../support/faults.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { type Random, random } from '../../support/random.ts';
import { type CountedModel, countedModel } from '../money/counted-model.ts';
import { NO_CAP } from '../money/world.ts';
import { type Plant, withPlant } from '../planted/changes.ts';
import { watchCalls } from './away.ts';
import { type Cloud, invoke, note, openCloud } from './cloud.ts';
import { reseed } from './prepare.ts';
import { startScheduler } from './scheduler.ts';
import { type Trace, traceCommits } from './trace.ts';
import { connectWorkers } from './worker-wire.ts';
import {
  createPersonSource,
  createWorkerSources,
  type Employed,
  newWorkers,
  simulated,
  type Workers,
  workerWire,
} from './workers.ts';

export const CREDITS = 5000;
const PARALLEL_CALLS = 3;
const ITEMS = 4;
/** A Monday, and far from midnight. */
const START_MS = Date.UTC(2026, 10, 23, 9);

/** A POST of a webhook. */
interface Post {
  event_id: string;
  body: string;
}

export interface World extends Cloud {
  seed: number;
  /** What clients choose by, whatever else is left to chance. */
  choices: Random;
  workspace_id: string;
  caller: CallerWithCosts;
  bridge_id: string;
  model: CountedModel;
  table: MemoryTable;
  posts: Post[];
  trace: Trace;
  workers: Workers;
  table_calls: number;
  /** The faults never end, until every process dies at its next call. */
  endless: boolean;
  dark: boolean;
  stop(): void;
}

export interface Trouble {
  /** Which fault a call meets. */
  faultPlan: (world: Pick<World, 'seed' | 'chance' | 'quiet' | 'dark' | 'endless' | 'fired'>) => FaultPlan;
  plant?: Plant | undefined;
  /** Models never fail, receivers take everything, and nothing comes twice. */
  calm?: true;
  /** Faults never end. */
  endless?: true;
  /** Of the model; otherwise the seed says how many. */
  endpoints?: number;
}

/** Where a run does not say. Models go away for ever, so this bounds how long a run takes. */
export const MODEL_WAIT_SECONDS = 300;
const SLOTS = 4;
/** Histories have one, two or three models that answer in turn. */
const MODELS = 3;
const CALL_MS = 3000;
/** One call in this many meets a fault. */
const FAULTY = 40;
/** The same of a history whose faults never end, by its seed. */
const ENDLESS = [40, 12, 5];

/** Faults of every kind at random, until the world is quiet or everything dies. */
export const randomFaults: Trouble['faultPlan'] = (world) => (call) => {
  if (world.dark) return 'crash_before';
  const faulty = world.endless ? ENDLESS[world.seed % ENDLESS.length] : FAULTY;
  if (world.quiet || !world.chance.oneIn(faulty ?? FAULTY)) return undefined;
  const kind: FaultKind = world.chance.pick(kindsFor(call));
  world.fired[kind] = (world.fired[kind] ?? 0) + 1;
  return kind;
};

function keysIn(input: object): Item[] {
  const { Key, Item, TransactItems = [], RequestItems = {}, ExpressionAttributeValues } = Object(input);
  const inner = TransactItems.flatMap((action: object) => Object.values(action).flatMap(keysIn));
  const batch = Object.values(RequestItems).flatMap((one) => Object(one).Keys ?? []);
  const queried = ExpressionAttributeValues?.[':pk'];
  return [...[Key, Item].filter(Boolean), ...inner, ...batch, ...(queried ? [{ pk: queried }] : [])];
}

/** The partitions of other workspaces among those that a call touches. */
function foreign(input: object, tenant: string): string[] {
  return keysIn(input)
    .map(({ pk }) => String(pk))
    .filter((pk) => pk.startsWith('WS#') && !pk.startsWith(`WS#${tenant}`));
}

/** The runs with a slot in the counters of a key, and how many slots have separate items. */
function slotsIn(table: MemoryTable, { pk, sk }: Item): { runs: string[]; items: number } {
  const { slots = {}, slot_items = 0 } = Object(
    Object(table.perform('GetCommand', { Key: { pk, sk } })).Item,
  );
  return { runs: Object.keys(slots), items: slot_items };
}

/** The world of a seed: the same seed gives the same one. Faults start only after the setup. */
export async function createWorld(seed: number, trouble: Trouble): Promise<World> {
  reseed(seed);
  // In every other history most slots have separate items.
  slotsInCounters.max = seed % 2 === 0 ? 1 : 100;
  // The sweep checks every log.
  logSample.one_in = 1;
  const drawn = random(seed);
  const chance = trouble.calm ? { ...drawn, oneIn: () => false } : drawn;
  const scheduler = startScheduler(chance, START_MS);
  const model = countedModel(chance, trouble.endpoints ?? 1 + (seed % MODELS));
  const { model: instant } = model;
  const seen: string[] = [];
  const gate = watchCalls(
    () => table,
    (what) => seen.push(what),
  );
  // Calls take their time, so that others come between.
  model.model = {
    ...instant,
    call: async (...asked) => {
      const { endpoint: name = instant.name } = asked[2];
      const ends = gate.begins(name);
      try {
        await scheduler.sleep(model.away.get(name)?.hangs_ms ?? chance.below(CALL_MS));
        const manner = model.away.get(name);
        if (manner?.retry_after_ms) gate.asks(name, manner.retry_after_ms);
        return await instant.call(...asked);
      } finally {
        ends();
      }
    },
  };
  let calls = 0;
  let furnished = false;
  const table = useMemoryTable(async (call, perform) => {
    await scheduler.turn();
    calls += 1;
    const tenant = currentProcess()?.tenant;
    const strange = tenant ? foreign(call.input, tenant) : [];
    if (strange.length > 0) seen.push(`another workspace is touched: ${strange[0]}`);
    const replayed = (input: object) => trace.replayed(call.command, input, perform);
    return trouble.plant && furnished ? withPlant(trouble.plant, call, replayed) : replayed(call.input);
  });
  const trace = traceCommits(seen, (counters) => {
    const { runs, items } = slotsIn(table, counters);
    if (runs.length + items > SLOTS) seen.push('more slots than there are');
    return runs;
  });
  const world = {
    ...{ seed, chance, choices: random(seed + 1), scheduler, model, table, seen, trace, quiet: true },
    ...{ endless: trouble.endless === true, dark: false },
    posts: [] as Post[],
    workers: newWorkers(),
    outcomes: new Map(),
    mayHaveLostLease: new Set<number>(),
    executions: new Map(),
    tokens: new Map(),
    messages: 0,
    unrecorded: [],
    fired: {} as Record<string, number>,
    get table_calls() {
      return calls;
    },
    faultPlan: () => trouble.faultPlan(world),
    setting: {
      model: model.model,
      prices: model.pricing.prices,
      max_parallel_calls: PARALLEL_CALLS,
      model_wait_seconds: MODEL_WAIT_SECONDS,
      slice_ms: chance.pick([-1, 2000, 60_000]),
      steps_per_slice: chance.oneIn(2) ? 1 : undefined,
      sourcesFor: (...[run, , { live }]: Parameters<SliceSetting['sourcesFor']>) =>
        sourcesOf(run, async (texts) => texts.map(() => [1]), { live }),
    },
    post: async ({ headers = {}, body = '' }: Parameters<Send>[0]) => {
      world.posts.push({ event_id: headers['X-Service-Event-Id'] ?? '', body: String(body) });
      await scheduler.sleep(chance.below(9000));
      const duration_ms = 1;
      if (!trouble.calm && chance.oneIn(4))
        return { kind: 'failed', error: 'ECONNRESET', duration_ms } as const;
      const status = trouble.calm || chance.oneIn(2) ? 204 : chance.pick([500, 503, 429, 302]);
      return { kind: 'response', status, headers: {}, body: Buffer.alloc(0), duration_ms } as const;
    },
    ...(await scheduler.run(() => furnish(chance))),
    stop: scheduler.stop,
  };
  openCloud(world);
  connectWorkers(workerWire(employedIn(world), () => trouble.calm === true));
  world.quiet = false;
  furnished = true;
  return world;
}

/** What the workers of a world need. */
function employedIn(world: World): Employed {
  const { workspace_id, chance, workers, scheduler, seen } = world;
  return {
    ...{ workspace_id, chance, workers, sleep: scheduler.sleep },
    request: (work) => invoke(world, workspace_id, work),
    note: (what) => note(world, what),
    gaveUp: (what) => void (world.endless || seen.push(what)),
  };
}

async function furnish(chance: Random): Promise<Pick<World, 'workspace_id' | 'caller' | 'bridge_id'>> {
  const { workspace_id } = await createWorkspace({
    name: 'History',
    tier: 'pro',
    credits: CREDITS,
    features: ['WEBHOOK_INTEGRATION'],
    max_concurrent_runs: SLOTS,
    ...(chance.oneIn(4) ? {} : NO_CAP),
  });
  await createWorkspace({ name: 'Neighbour', tier: 'pro', credits: CREDITS });
  await createWorkerSources(workspace_id, simulated);
  await createPersonSource(workspace_id);
  const workspace = await workspaces.get(workspace_id);
  if (!workspace) throw new Error('no workspace');
  const at = Date.now();
  const record = (i: number) => {
    const entity = { id: newId(), workspace_id, type: 'thing', name: `Thing ${i}`, fields: {} };
    const times = { created_at: at, updated_at: at };
    return entityWrites({ ...entity, ...times, external_uri: `crm:${i}` }, { vector: [1] });
  };
  await transact(Array.from({ length: ITEMS }, (_, i) => record(i)).flat());
  const key = {
    key_id: `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`,
    workspace_id,
    name: 'key',
    scopes: [...scopes],
    created_at: at,
  };
  await apiKeys.create(key, 'hash', Buffer.from('sealed').toString('base64'));
  const bridge_id = newId();
  await bridges.put({
    bridge_id,
    name: 'crm',
    status: 'active',
    workspaces: [{ workspace_id, resources: bridgeResources(newId()) }],
    sealed_secret: Buffer.from(`sealed ${bridge_id}`).toString('base64'),
    created_at: at,
  });
  const caller = { key, workspace, spent_today: { workspace: 0n, key: 0n } };
  return { workspace_id, caller, bridge_id };
}
