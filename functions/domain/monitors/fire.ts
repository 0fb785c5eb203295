// Fires: what is due of a monitor becomes a run, or an entry that says why not (rules.md: monitors 4 to 7).
import { ApiError, type ErrorCode, errors } from '#contract/errors.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { type Fire, MONITOR_PAIR } from '#contract/monitors.ts';
import { type CallerWithCosts, checkStanding } from '#domain/access/authenticate.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { type CheckRun, checkCreate, checkCreateRights } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { readsTexts } from '#domain/planning/validate-plan.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import type { ConfiguredModel } from '#models/configured-model.ts';
import { enqueueFire } from '#orchestration/fire-queue.ts';
import { sha256, uuidFrom } from '#platform/crypto.ts';
import { newTimeOrderedId } from '#platform/ids.ts';
import { describe, log } from '#platform/log.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { fireWrite, newestFire } from '#store/monitors/fires.ts';
import { type MonitorPlan, readPlan } from '#store/monitors/monitor-plans.ts';
import type { MonitorChange, MonitorKey, MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import type { FiredBy } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { ConditionFailed, type Write } from '#store/table/table.ts';
import { type Bearer, type Costs, findKeyWithCosts } from '#store/workspaces/api-keys.ts';
import { CHECK_AGAIN_MS, type DueFire, whatIsDue } from './what-is-due.ts';

/** What a fire needs beyond its monitor: the model that understands queries, and the check of a body. */
export interface FireSetting {
  model: ConfiguredModel;
  check: CheckRun;
}

/** How long the understanding of a query may keep others from firing the same. */
const FIRING_MS = limits.understanding_timeout_ms + 15_000;
/** How long after it a refusal that may pass is tried again. */
const RETRY_MS = 10_000;

interface Found {
  monitor: MonitorRecord;
  body: JsonObject;
  caller: Bearer & Costs;
  busy: boolean;
}

/** The current state of a monitor; undefined if it is gone, or its workspace is being purged. */
async function find({ workspace_id, monitor_id }: MonitorKey): Promise<Found | undefined> {
  const found = await monitors.getWithBody(workspace_id, monitor_id);
  if (!found) return undefined;
  const { last_run_id } = found.monitor;
  const [caller, last] = await Promise.all([
    keyOf(found.monitor),
    last_run_id === undefined ? undefined : runs.get(workspace_id, last_run_id),
  ]);
  if (!caller.workspace || caller.workspace.closed_at !== undefined) return undefined;
  // The next commit saves the key to which the monitor has passed (rules.md: monitors 15).
  const monitor = { ...found.monitor, key_id: caller.key?.key_id ?? found.monitor.key_id };
  return { ...found, monitor, caller, busy: last !== undefined && !isTerminal(last) };
}

/** The key of a monitor, or the last of those that have replaced it, with its costs. */
async function keyOf({ workspace_id, key_id }: MonitorRecord): Promise<Bearer & Costs> {
  for (let id = key_id; ; ) {
    const found = await findKeyWithCosts(id, workspace_id);
    if (found.key?.successor === undefined) return found;
    id = found.key.successor;
  }
}

/**
 * Fires what is due of a monitor. Safe to repeat and to run concurrently: each decision is written together with its
 * entry, on the state that it was made for, and a run has the id of its due time.
 */
export async function fireDue(key: MonitorKey, setting: FireSetting): Promise<void> {
  for (;;) {
    const found = await find(key);
    const due = found && whatIsDue(found.monitor, found.busy, Date.now());
    if (!due) return;
    const done = await ifCurrent(() => takeDue(found, due, setting));
    // Later on, the sweep looks at it once a minute.
    if (done?.outcome === 'retry_later') return isSoon(done.due_at) ? enqueueFire(key, RETRY_MS) : undefined;
  }
}

/** Fires a monitor on request; `effects` are written with the entry. Throws ConditionFailed for one of them. */
export async function fireNow(
  key: MonitorKey,
  request: { request_id: string; effects(fire: Fire): Write[] },
  setting: FireSetting,
): Promise<Fire | undefined> {
  for (;;) {
    const found = await find(key);
    if (!found) return undefined;
    const now = Date.now();
    const fire = { id: newTimeOrderedId(now), due_at: now, cause: 'request' as const };
    const due = { kind: 'fire' as const, fire, change: {}, ...request };
    const done = await ifCurrent(() => takeDue(found, due, setting));
    if (done && done.outcome !== 'retry_later') return done.fire;
  }
}

/** Undefined if another process changed the monitor, or made the run, in between. */
async function ifCurrent<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof monitors.StaleMonitor) return undefined;
    throw error;
  }
}

type FireResult = { outcome: 'done'; fire: Fire | undefined } | { outcome: 'retry_later'; due_at: number };

const isSoon = (dueAt: number) => Date.now() < dueAt + limits.monitor_lateness_max_ms;
type Asked = { request_id?: string; effects?(fire: Fire): Write[] };

async function takeDue(found: Found, due: DueFire & Asked, setting: FireSetting): Promise<FireResult> {
  const { monitor, busy } = found;
  if (due.kind === 'advance') return record(monitor, due.change, due.missed ? [due.missed] : []);
  try {
    return await (busy ? whileBusy(found, due, setting) : makeRun(found, due, setting));
  } catch (error) {
    return recordFailure(monitor, due, error);
  }
}

async function whileBusy(found: Found, due: RealFire, setting: FireSetting): Promise<FireResult> {
  const { monitor } = found;
  switch (monitor.overlap) {
    case 'replace': {
      const by = { actor: monitor.id, request_id: due.request_id ?? due.fire.id };
      await cancelRun(monitor.workspace_id, monitor.last_run_id, by);
      return makeRun(found, due, setting);
    }
    case 'queue':
      return monitor.queued ? skip(monitor, due) : queue(monitor, due);
    case 'skip':
      return skip(monitor, due);
  }
}

type RealFire = Extract<DueFire, { kind: 'fire' }> & Asked;

/** A change stays marked, and fires when the run has ended. */
function skip(monitor: MonitorRecord, due: RealFire): Promise<FireResult> {
  const now = Date.now();
  const marked = due.fire.cause === 'change' ? monitor.marked : undefined;
  const change = marked
    ? { marked: { ...marked, skipped: true as const }, look_at: now + CHECK_AGAIN_MS }
    : due.change;
  const fire: Fire = { ...due.fire, fired_at: now, outcome: 'skipped', reason: 'overlap' };
  return record(monitor, change, entries(due, fire), due.effects?.(fire));
}

function queue(monitor: MonitorRecord, due: RealFire): Promise<FireResult> {
  const now = Date.now();
  const change = { ...due.change, queued: due.fire, look_at: now + CHECK_AGAIN_MS };
  const fire: Fire = { ...due.fire, fired_at: now, outcome: 'queued' };
  return record(monitor, change, entries(due, fire), due.effects?.(fire));
}

const entries = ({ missed }: RealFire, fire: Fire): Fire[] => [...(missed ? [missed] : []), fire];

/** Writes the decision with its entries, of which the last one is the fire. */
async function record(
  monitor: MonitorRecord,
  change: MonitorChange,
  fires: Fire[],
  effects: Write[] = [],
): Promise<FireResult> {
  const key = { workspace_id: monitor.workspace_id, monitor_id: monitor.id };
  const listed = fires.map((fire) => fireWrite(key, fire));
  await monitors.commit(
    monitor,
    { ...change, ...newestFire(monitor, fires), firing_until: undefined },
    { effects: [...listed, ...effects] },
  );
  return { outcome: 'done', fire: fires.at(-1) };
}

/** The id of the run for a due time: started twice, it is still one run. Two requests may share a millisecond. */
function runIdOf(
  { workspace_id, id }: MonitorRecord,
  { id: fire_id, due_at, cause }: RealFire['fire'],
): string {
  return uuidFrom(sha256(JSON.stringify([workspace_id, id, cause, cause === 'request' ? fire_id : due_at])));
}

async function makeRun(found: Found, due: RealFire, setting: FireSetting): Promise<FireResult> {
  const planned = await planFor(found);
  // Understanding a query costs money: a copy of this fire must wait.
  const monitor =
    found.body.input_type === 'query' && !planned
      ? await monitors.commit(found.monitor, { firing_until: Date.now() + FIRING_MS })
      : found.monitor;
  const run_id = runIdOf(monitor, due.fire);
  const fired_at = Date.now();
  const fire: Fire = { ...due.fire, fired_at, outcome: 'run', run_id };
  const made = entries(due, fire);
  const change = {
    ...due.change,
    ...newestFire(monitor, made),
    last_run_id: run_id,
    firing_until: undefined,
  };
  const key = { workspace_id: monitor.workspace_id, monitor_id: monitor.id };
  const effects = [
    monitors.changeWrite(monitor, change),
    ...made.map((entry) => fireWrite(key, entry)),
    ...(due.effects?.(fire) ?? []),
  ];
  try {
    const { unfinished } = await createRun(
      {
        ...checkedRun(found, setting),
        request_id: due.request_id ?? due.fire.id,
        idempotency: undefined,
        fired: { run_id, fired_by: firedBy(monitor, fire), effects, planned },
      },
      setting.model,
    );
    await unfinished;
    return { outcome: 'done', fire };
  } catch (error) {
    if (error instanceof ConditionFailed) return afterLostRace(monitor, due, error, effects);
    if (!(error instanceof ApiError)) return recordFailure(monitor, due, error);
    const refused = await refuse(monitor, due, error.code);
    await error.unfinished;
    return refused;
  }
}

/**
 * The plan of the runs of a query, once the first one has made it (rules.md: monitors 18). A key that may not read
 * notes and artifacts follows no plan that reads them.
 */
async function planFor({ monitor, body, caller }: Found): Promise<MonitorPlan | undefined> {
  if (body.input_type !== 'query') return undefined;
  const key = { workspace_id: monitor.workspace_id, monitor_id: monitor.id };
  const saved = await readPlan(key, monitor.revision);
  const mayReadTexts = caller.key?.scopes.includes('artifacts:read') ?? false;
  return saved && (mayReadTexts || !readsTexts(saved.plan)) ? saved : undefined;
}

/** The body of the run with the monitor's name in it, checked as a request of the key that made the monitor. */
function checkedRun({ monitor, body: stored, caller }: Found, { check }: FireSetting) {
  const by: CallerWithCosts = { ...caller, ...checkStanding(caller.key, caller.workspace) };
  const body = { ...stored, metadata: { ...Object(stored.metadata), [MONITOR_PAIR]: monitor.id } };
  const checked = checkCreate(body, check);
  checkCreateRights(by, checked);
  return { caller: by, checked };
}

function firedBy({ revision, notify }: MonitorRecord, { id: fire_id }: Fire): FiredBy {
  return { fire_id, revision, ...(notify === 'changed' && { compared: true }) };
}

/**
 * Another process changed the monitor, or an effect of the request failed. If the run exists though the monitor has not
 * changed, a clock that is behind has made the time due again: the monitor only moves on, or it would try for ever.
 */
function afterLostRace(
  monitor: MonitorRecord,
  { change }: RealFire,
  error: ConditionFailed,
  effects: Write[],
): Promise<FireResult> {
  if (error.write && effects.indexOf(error.write) > 0) throw error;
  return record(monitor, change, []);
}

/**
 * What is no trouble of a service would fail again: it is listed, and the next due time comes (rules.md: monitors 16).
 * Throws what passes, which is tried again.
 */
function recordFailure(monitor: MonitorRecord, due: RealFire, error: unknown): Promise<FireResult> {
  const passes = error instanceof monitors.StaleMonitor || error instanceof ConditionFailed;
  if (passes || isServiceTrouble(error)) throw error;
  log.error('fire failed', { monitor_id: monitor.id, fire_id: due.fire.id, error: describe(error) });
  return refuse(monitor, due, error instanceof ApiError ? error.code : 'internal_error');
}

/**
 * A refusal is listed. One that may pass is tried again while the monitor catches up, for a minute at least, but not
 * under a request (rules.md: monitors 19).
 */
async function refuse(monitor: MonitorRecord, due: RealFire, code: ErrorCode): Promise<FireResult> {
  const now = Date.now();
  const mayPass = errors[code].status === 503 || errors[code].status === 504;
  const catch_up_ms = monitor.catch_up_seconds * 1000 - CHECK_AGAIN_MS;
  const until = due.fire.due_at + Math.max(catch_up_ms, limits.monitor_lateness_max_ms);
  if (mayPass && due.fire.cause !== 'request' && now < until) {
    if (monitor.firing_until !== undefined) await monitors.commit(monitor, { firing_until: undefined });
    return { outcome: 'retry_later', due_at: due.fire.due_at };
  }
  const fire: Fire = { ...due.fire, fired_at: now, outcome: 'refused', reason: code };
  return record(monitor, due.change, entries(due, fire), due.effects?.(fire));
}
