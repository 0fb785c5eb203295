// What the clients and operators of a simulated history do, again until they have an answer.
import { ApiError } from '#contract/errors.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { rerunRun } from '#domain/commands/rerun-run.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { deleteRun } from '#domain/erasure/delete-run.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { receiveSync } from '#domain/sync/receive.ts';
import { SyncError } from '#domain/sync/sync-error.ts';
import { syncSignature } from '#domain/sync/verify.ts';
import { redeliver } from '#domain/webhooks/redeliver.ts';
import { endMaintenance, inMaintenance, startMaintenance } from '#domain/workspaces/maintenance.ts';
import { updateWorkspace } from '#domain/workspaces/settings.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import * as runList from '#store/runs/run-list.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { get, getMany, runOf } from '#store/runs/runs.ts';
import { keys } from '#store/table/table-keys.ts';
import { faultKinds } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { actor } from '../../support/runs.ts';
import { invoke, note } from './cloud.ts';
import type { KnownMonitor } from './monitors.ts';
import type { SyncModel } from './sync-model.ts';
import { changeSource, simulatedNames } from './workers.ts';
import type { World } from './world.ts';

/**
 * What clients know: which run each key made, how often they wanted something, and how often it was refused or given
 * up.
 */
export interface Knowledge {
  /** The runs that clients have deleted, as they were before. */
  deleted: Map<string, RunRecord>;
  runOfKey: Map<string, Set<string>>;
  synced: SyncModel;
  monitors: KnownMonitor[];
  wanted: number;
  useful: number;
  granted: number;
}

export type Operation = (world: World, known: Knowledge) => Promise<unknown>;

/**
 * A client gives up after this long. While a dead create owns the key, each retry of its copy is long and likely to
 * meet its own fault.
 */
const PATIENCE_MS = 20 * 60_000;
export const CALLBACK = 'https://93.184.216.34/hook';
const SECRET = '0123456789abcdef';

/**
 * Carries out an operation as a client does: again after trouble, not after a refusal. Undefined when it was refused or
 * never worked.
 */
export async function wants<T>(
  world: World,
  known: Knowledge,
  work: () => Promise<T>,
): Promise<T | undefined> {
  known.wanted += 1;
  let trouble: unknown;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    try {
      const id = world.outcomes.size + 1;
      const value = await invoke(world, world.workspace_id, work).catch((error: unknown) => {
        if (error instanceof ApiError) world.outcomes.set(id, 'refused');
        throw error;
      });
      known.useful += 1;
      return value;
    } catch (error) {
      const refused =
        // 504 asks for a retry: a dead create owns its key for as long as a query may take.
        (error instanceof ApiError && error.code !== 'upstream_timeout') ||
        (error instanceof SyncError && !['internal_error', 'service_unavailable'].includes(error.code));
      if (refused) {
        // An answer, too.
        known.useful += 1;
        note(world, `refused ${error.code}`);
        return undefined;
      }
      trouble = error;
      await world.scheduler.sleep(100 + world.chance.below(900));
    }
  }
  const never = `an operation never works: ${trouble instanceof Error ? trouble.stack : trouble}`;
  if (!world.endless) world.seen.push(never);
  return undefined;
}

function body({ choices: chance }: World, number: number): Record<string, unknown> {
  const callback = {
    ...(chance.oneIn(2) && { callback_url: CALLBACK }),
    ...(chance.oneIn(3)
      ? { config: { timeout_seconds: 2, start_within_seconds: 1 } }
      : chance.oneIn(3) && { config: { model_wait_seconds: chance.pick([0, 30]) } }),
  };
  if (chance.oneIn(4))
    return { input_type: 'query', query: `Which things are there? (${number})`, ...callback };
  if (chance.oneIn(4))
    return {
      input_type: 'preset',
      preset: 'dossier',
      params: { entity: { external_uri: `crm:${chance.below(4)}` }, sections: ['One', 'Two'] },
      ...callback,
    };
  const kinds = [
    { kind: 'transform', title: 'Each', params: { limit: 6 } },
    { kind: 'analyze', title: 'All' },
    { kind: 'filter', title: 'Some' },
    { kind: 'discover', title: 'New' },
    { kind: 'inject_context', title: 'More', params: {} },
    { kind: 'vector_search', title: 'Near', params: { query: 'thing' } },
    { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
  ];
  const steps = Array.from({ length: 1 + chance.below(3) }, (_, i) => ({
    ...chance.pick(kinds),
    instructions: `step ${i}`,
  }));
  const plan = { title: 'Plan', steps: [...fetches(chance), ...steps] };
  return { input_type: 'plan', plan, ...callback };
}

/** Records, or what workers or a person bring, who may get the records first. */
function fetches(chance: Random): object[] {
  const records = { kind: 'fetch', title: 'Fetch' };
  if (chance.oneIn(2)) return [records];
  const source = chance.pick(simulatedNames);
  return chance.oneIn(2)
    ? [{ ...records, params: { source } }]
    : [records, { ...records, params: { source, context_step_ids: [0] } }];
}

export const creates: Operation = async (world, known) => {
  const key = world.choices.oneIn(4) ? undefined : `key ${known.wanted}`;
  await createsFrom(world, known, body(world, known.wanted), key);
};

/** Creates a run; under a key now and then two copies of the request come at once. */
export async function createsFrom(
  world: World,
  known: Knowledge,
  sent: object,
  key: string | undefined,
): Promise<void> {
  const { caller, model, workspace_id, chance } = world;
  const create = async () =>
    startedRun(
      createRun(
        {
          caller,
          request_id: 'request',
          checked: checkCreate(sent, (schema, value) => schema.parse(value)),
          idempotency: await idempotencyKeyOf(key, 'runs', workspace_id, sent),
        },
        { model: model.model, prices: model.pricing.prices },
      ),
    );
  // Without a key each successful attempt is a separate run.
  if (!key) return void (await wants(world, known, create));
  const copies = chance.oneIn(5) ? 2 : 1;
  const faults = faultsIn(world);
  const made = await Promise.all(Array.from({ length: copies }, () => wants(world, known, create)));
  const ids = made.flatMap((one) => one?.run.id ?? []);
  known.runOfKey.set(key, new Set([...(known.runOfKey.get(key) ?? []), ...ids]));
  // A copy may take over from one that fails, and pays again.
  const allWorked = ids.length === copies && faultsIn(world) === faults;
  const query: unknown = Reflect.get(sent, 'query');
  const asked = model.calls.filter((call) => call.task === 'understand' && call.query === query);
  if (allWorked && new Set(asked.map(({ by }) => by)).size > 1)
    world.seen.push('a query is understood twice under one key, though nothing failed');
}

const faultsIn = ({ fired }: World) => faultKinds.reduce((sum, kind) => sum + (fired[kind] ?? 0), 0);

/** One of the runs that meet a wish, or any. */
async function someRun(world: World, wished: (run: RunRecord) => boolean): Promise<RunRecord | undefined> {
  const { listed } = await runList.page(world.workspace_id, { limit: 50 });
  const runs = await getMany(
    world.workspace_id,
    listed.map(({ run_id }) => run_id),
  );
  const found = runs.filter(wished);
  return runs.length > 0 ? world.choices.pick(found.length > 0 ? found : runs) : undefined;
}

export const cancels: Operation = async (world, known) => {
  const run = await someRun(world, (one) => !isTerminal(one));
  if (run) await wants(world, known, () => cancelRun(world.workspace_id, run.id, actor));
};

export const resumes: Operation = async (world, known) => {
  const run = await someRun(world, ({ status }) => status === 'failed');
  if (run) await wants(world, known, () => resumeRun(world.caller, run.id, {}, actor));
};

export const reruns: Operation = async (world, known) => {
  const run = await someRun(world, isTerminal);
  if (!run) return;
  const key = `rerun ${known.wanted}`;
  const sent = { step_index: world.choices.below(3) };
  const idempotency = await idempotencyKeyOf(key, 'rerun-from', world.workspace_id, sent);
  const request = { caller: world.caller, request_id: 'r', run_id: run.id, body: sent, idempotency };
  const made = await wants(world, known, () => rerunRun(request, world.model.pricing));
  if (made) known.runOfKey.set(key, new Set([made.run.id]));
};

export const deletes: Operation = async (world, known) => {
  const run = await someRun(world, (one) => isTerminal(one) && one.log_finished);
  if (!run) return;
  await wants(world, known, () => deleteRun(world.workspace_id, run.id, actor));
  // A call that tries a model for a run that waits goes on when the run is gone: it counts on the day alone.
  for (const [id, outcome] of world.outcomes) if (outcome === 'died') world.mayHaveLostLease.add(id);
  const left = await get(world.workspace_id, run.id);
  if (!left) known.deleted.set(run.id, await lastStateOf(world, run));
};

/** A run as it was before it was deleted. */
async function lastStateOf({ trace }: World, run: RunRecord): Promise<RunRecord> {
  const last = trace.states.findLast(({ pk }) => pk === keys.run(run.workspace_id, run.id).pk);
  return last ? runOf(last) : run;
}

export const redelivers: Operation = async (world, known) => {
  const run = await someRun(world, ({ config, status }) => !!config.callback_url && status === 'succeeded');
  const [delivery] = run ? await deliveries.list(world.workspace_id, run.id) : [];
  if (run && delivery)
    await wants(world, known, () => redeliver(world.workspace_id, run.id, delivery.event_id, actor));
};

export const changesSource: Operation = (world, known) =>
  wants(world, known, () => changeSource(world.workspace_id, world.choices));

/** Starts or ends maintenance. Operators check the current state, because others change it too. */
export const maintains: Operation = async (world, known) => {
  const change = (await inMaintenance(world.workspace_id)) ? endMaintenance : startMaintenance;
  await wants(world, known, () => change(world.workspace_id, undefined, actor));
};

export const endsMaintenance: Operation = (world, known) =>
  wants(world, known, () => endMaintenance(world.workspace_id, undefined, actor));

export const grants: Operation = async (world, known) => {
  const credits = 2000 + world.choices.below(4000);
  await wants(world, known, () => updateWorkspace(world.workspace_id, { credits }, actor));
  known.granted += 1;
};

/** Some messages at once, so that they overtake each other. */
export const syncs: Operation = async (world, known) => {
  const messages = Array.from({ length: 1 + world.choices.below(4) }, () => known.synced.next(world.choices));
  await Promise.all(messages.map((message) => sends(world, known, message)));
};

async function sends(world: World, known: Knowledge, message: object): Promise<void> {
  const { bridge_id } = world;
  const bytes = Buffer.from(JSON.stringify(message));
  const request = () => ({
    bridge_id,
    body: bytes,
    body_bytes: bytes.length,
    signature: syncSignature(bytes, SECRET),
    timestamp: new Date(Date.now()).toISOString(),
  });
  const embed = async (records: unknown[]) => records.map(() => ({ vector: [1] }));
  await wants(world, known, () => receiveSync(request(), embed));
}

export const imports: Operation = async (world, known) => {
  const lines = Array.from({ length: 3 }, (_, i) => ({
    type: 'thing',
    name: `Imported ${known.wanted} ${i}`,
    fields: {},
  }));
  const origin = {
    import_id: `${String(known.wanted).padStart(8, '0')}-0000-8000-8000-000000000000`,
    offset: 0,
  };
  const done = await wants(world, known, () => importEntities(world.workspace_id, lines, origin));
  if (done) known.synced.imported(lines.map(({ name }) => name));
};
