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
import { startedRun } from '../../support/run-drafts.ts';
import { actor } from '../../support/runs.ts';
import { invoke, note } from './cloud.ts';
import type { KnownMonitor } from './monitors.ts';
import type { Scene } from './scene.ts';
import type { SyncModel } from './sync-model.ts';

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

export type Operation = (scene: Scene, known: Knowledge) => Promise<unknown>;

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
  scene: Scene,
  known: Knowledge,
  work: () => Promise<T>,
): Promise<T | undefined> {
  known.wanted += 1;
  let trouble: unknown;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    try {
      const id = scene.fates.size + 1;
      const value = await invoke(scene, scene.workspace_id, work).catch((error: unknown) => {
        if (error instanceof ApiError) scene.fates.set(id, 'refused');
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
        note(scene, `refused ${error.code}`);
        return undefined;
      }
      trouble = error;
      await scene.scheduler.sleep(100 + scene.chance.below(900));
    }
  }
  const never = `an operation never works: ${trouble instanceof Error ? trouble.stack : trouble}`;
  if (!scene.endless) scene.seen.push(never);
  return undefined;
}

function body({ choices: chance }: Scene, number: number): Record<string, unknown> {
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
  const plan = { title: 'Plan', steps: [{ kind: 'fetch', title: 'Fetch' }, ...steps] };
  return { input_type: 'plan', plan, ...callback };
}

export const creates: Operation = async (scene, known) => {
  const key = scene.choices.oneIn(4) ? undefined : `key ${known.wanted}`;
  await createsFrom(scene, known, body(scene, known.wanted), key);
};

/** Creates a run; under a key now and then two copies of the request come at once. */
export async function createsFrom(
  scene: Scene,
  known: Knowledge,
  sent: object,
  key: string | undefined,
): Promise<void> {
  const { caller, model, workspace_id, chance } = scene;
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
  if (!key) return void (await wants(scene, known, create));
  const copies = chance.oneIn(5) ? 2 : 1;
  const faults = faultsIn(scene);
  const made = await Promise.all(Array.from({ length: copies }, () => wants(scene, known, create)));
  const ids = made.flatMap((one) => one?.run.id ?? []);
  known.runOfKey.set(key, new Set([...(known.runOfKey.get(key) ?? []), ...ids]));
  // A copy may take over from one that fails, and pays again.
  const allWorked = ids.length === copies && faultsIn(scene) === faults;
  const query: unknown = Reflect.get(sent, 'query');
  const asked = model.calls.filter((call) => call.task === 'understand' && call.query === query);
  if (allWorked && new Set(asked.map(({ by }) => by)).size > 1)
    scene.seen.push('a query is understood twice under one key, though nothing failed');
}

const faultsIn = ({ fired }: Scene) => faultKinds.reduce((sum, kind) => sum + (fired[kind] ?? 0), 0);

/** One of the runs that meet a wish, or any. */
async function someRun(scene: Scene, wished: (run: RunRecord) => boolean): Promise<RunRecord | undefined> {
  const { listed } = await runList.page(scene.workspace_id, { limit: 50 });
  const runs = await getMany(
    scene.workspace_id,
    listed.map(({ run_id }) => run_id),
  );
  const found = runs.filter(wished);
  return runs.length > 0 ? scene.choices.pick(found.length > 0 ? found : runs) : undefined;
}

export const cancels: Operation = async (scene, known) => {
  const run = await someRun(scene, (one) => !isTerminal(one));
  if (run) await wants(scene, known, () => cancelRun(scene.workspace_id, run.id, actor));
};

export const resumes: Operation = async (scene, known) => {
  const run = await someRun(scene, ({ status }) => status === 'failed');
  if (run) await wants(scene, known, () => resumeRun(scene.caller, run.id, {}, actor));
};

export const reruns: Operation = async (scene, known) => {
  const run = await someRun(scene, isTerminal);
  if (!run) return;
  const key = `rerun ${known.wanted}`;
  const sent = { step_index: scene.choices.below(3) };
  const idempotency = await idempotencyKeyOf(key, 'rerun-from', scene.workspace_id, sent);
  const request = { caller: scene.caller, request_id: 'r', run_id: run.id, body: sent, idempotency };
  const made = await wants(scene, known, () => rerunRun(request, scene.model.pricing));
  if (made) known.runOfKey.set(key, new Set([made.run.id]));
};

export const deletes: Operation = async (scene, known) => {
  const run = await someRun(scene, (one) => isTerminal(one) && one.log_finished);
  if (!run) return;
  await wants(scene, known, () => deleteRun(scene.workspace_id, run.id, actor));
  const left = await get(scene.workspace_id, run.id);
  if (!left) known.deleted.set(run.id, await lastStateOf(scene, run));
};

/** A run as it was before it was deleted. */
async function lastStateOf({ trace }: Scene, run: RunRecord): Promise<RunRecord> {
  const last = trace.states.findLast(({ pk }) => pk === keys.run(run.workspace_id, run.id).pk);
  return last ? runOf(last) : run;
}

export const redelivers: Operation = async (scene, known) => {
  const run = await someRun(scene, ({ config, status }) => !!config.callback_url && status === 'succeeded');
  const [delivery] = run ? await deliveries.list(scene.workspace_id, run.id) : [];
  if (run && delivery)
    await wants(scene, known, () => redeliver(scene.workspace_id, run.id, delivery.event_id, actor));
};

/** Starts or ends maintenance. Operators check the current state, because others change it too. */
export const maintains: Operation = async (scene, known) => {
  const change = (await inMaintenance(scene.workspace_id)) ? endMaintenance : startMaintenance;
  await wants(scene, known, () => change(scene.workspace_id, undefined, actor));
};

export const endsMaintenance: Operation = (scene, known) =>
  wants(scene, known, () => endMaintenance(scene.workspace_id, undefined, actor));

export const grants: Operation = async (scene, known) => {
  const credits = 2000 + scene.choices.below(4000);
  await wants(scene, known, () => updateWorkspace(scene.workspace_id, { credits }, actor));
  known.granted += 1;
};

/** Some messages at once, so that they overtake each other. */
export const syncs: Operation = async (scene, known) => {
  const messages = Array.from({ length: 1 + scene.choices.below(4) }, () => known.synced.next(scene.choices));
  await Promise.all(messages.map((message) => sends(scene, known, message)));
};

async function sends(scene: Scene, known: Knowledge, message: object): Promise<void> {
  const { bridge_id } = scene;
  const bytes = Buffer.from(JSON.stringify(message));
  const request = () => ({
    bridge_id,
    body: bytes,
    body_bytes: bytes.length,
    signature: syncSignature(bytes, SECRET),
    timestamp: new Date(Date.now()).toISOString(),
  });
  const embed = async (records: unknown[]) => records.map(() => ({ vector: [1] }));
  await wants(scene, known, () => receiveSync(request(), embed));
}

export const imports: Operation = async (scene, known) => {
  const lines = Array.from({ length: 3 }, (_, i) => ({
    type: 'thing',
    name: `Imported ${known.wanted} ${i}`,
    fields: {},
  }));
  const origin = {
    import_id: `${String(known.wanted).padStart(8, '0')}-0000-8000-8000-000000000000`,
    offset: 0,
  };
  const done = await wants(scene, known, () => importEntities(scene.workspace_id, lines, origin));
  if (done) known.synced.imported(lines.map(({ name }) => name));
};
