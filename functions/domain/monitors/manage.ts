// Creating, changing and deleting monitors (rules.md: monitors 1, monitors 2, monitors 11).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Fire, Trigger } from '#contract/monitors.ts';
import type { CreateRun } from '#contract/runs.ts';
import type { Caller, CallerWithCosts } from '#domain/access/authenticate.ts';
import { whileActive } from '#domain/access/still-active.ts';
import { checkKeyDay } from '#domain/commands/reserve-capacity.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { isSameJson } from '#platform/crypto.ts';
import { newNonce, newTimeOrderedId } from '#platform/ids.ts';
import * as compared from '#store/monitors/compared.ts';
import * as fires from '#store/monitors/fires.ts';
import type { MonitorChange, MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import * as idempotency from '#store/runs/idempotency.ts';
import * as runs from '#store/runs/runs.ts';
import { ConditionFailed, type Write } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { monitorCountWrite } from '#store/workspaces/workspaces.ts';
import { claimedId } from './claimed-id.ts';
import { dueTimes, nextDue } from './due-times.ts';
import { findMonitor, type MonitorView } from './find-monitor.ts';
import { checkSchedule, scheduleOf } from './schedule.ts';

/** What a request may set; all of it is checked. */
export type MonitorSettings = Pick<
  MonitorRecord,
  'name' | 'status' | 'on' | 'overlap' | 'catch_up_seconds' | 'notify'
>;

/** The trigger with its defaults. Throws schema_validation_failed for a schedule that never comes. */
export function completeTrigger(on: Trigger, nowMs: number): Trigger {
  if (Buffer.byteLength(JSON.stringify(on)) > limits.monitor_trigger_max_bytes)
    throw wrongParam('on', `at most ${limits.monitor_trigger_max_bytes} bytes of JSON`, 'more', 'Too long');
  if ('change' in on) {
    const { types, where, settle_seconds = limits.monitor_settle_default_seconds } = on.change;
    return { change: { types, ...(where && { where }), settle_seconds } };
  }
  const schedule = scheduleOf(on);
  checkSchedule(schedule, nowMs);
  return schedule;
}

/** The next due time of a trigger, while it is active. */
function nextFireAt({ status, on }: Pick<MonitorRecord, 'status' | 'on'>, nowMs: number): number | undefined {
  if (status === 'paused' || !('cron' in on)) return undefined;
  return nextDue(scheduleOf(on), nowMs);
}

const watchers = ({ on }: Pick<MonitorRecord, 'on'>) => ('change' in on ? 1 : 0);

export interface NewMonitor {
  caller: CallerWithCosts;
  settings: MonitorSettings;
  run: CreateRun;
  idempotency: idempotency.IdempotencyKey | undefined;
  by: Actor;
}

/**
 * Creates a monitor, or returns the one that this Idempotency-Key created. Throws idempotency_key_conflict and
 * monitors_exceeded.
 */
export async function createMonitor(asked: NewMonitor): Promise<MonitorView & { replayed: boolean }> {
  const { caller, settings, run, idempotency: key, by } = asked;
  const { workspace_id } = caller.workspace;
  const existing = await existingMonitor(key);
  if (existing) return existing;
  checkKeyDay(caller);
  const now = Date.now();
  const monitor: MonitorRecord = {
    id: newTimeOrderedId(now),
    workspace_id,
    ...settings,
    created_at: now,
    key_id: caller.key.key_id,
    revision: newNonce(),
    next_fire_at: nextFireAt(settings, now),
    ...(key && { claim: idempotency.claimName(key) }),
    version: 1,
  };
  const count = { monitors: 1, change_monitors: watchers(monitor) };
  const counted = monitorCountWrite(workspace_id, count, limits.monitors_max);
  const effects = [
    counted,
    ...(key ? [idempotency.claimWrite(key, monitor.id)] : []),
    auditWrite(workspace_id, by, 'monitor.create', monitor.id),
  ];
  try {
    await whileActive(caller, (check) => monitors.create(monitor, run, [check, ...effects]));
    return { monitor, run, replayed: false };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A copy of the request may have been faster, and then it may also have taken the last place.
    const existing = await existingMonitor(key);
    if (existing) return existing;
    throw fail('monitors_exceeded', { details: { limit: limits.monitors_max } });
  }
}

async function existingMonitor(
  key: idempotency.IdempotencyKey | undefined,
): Promise<(MonitorView & { replayed: true }) | undefined> {
  const id = key && (await claimedId(key));
  const view = key && id !== undefined ? await monitors.getWithRun(key.workspace_id, id) : undefined;
  return view && { ...view, replayed: true };
}

/**
 * Changes a monitor. A setting that stays equal changes nothing else either. Who sends its run becomes its key
 * (rules.md: monitors 14). Throws monitor_not_found; auth_invalid, auth_expired once the caller is revoked or expired.
 */
export async function updateMonitor(
  caller: CallerWithCosts,
  id: string | undefined,
  patch: Partial<MonitorSettings> & { run?: CreateRun | undefined },
  by: Actor,
): Promise<MonitorView> {
  const workspaceId = caller.workspace.workspace_id;
  return monitors.retryIfStale(async () => {
    const { monitor, run } = await findMonitor(workspaceId, id);
    const { run: newRun, ...others } = patch;
    const settings = { ...others, ...(newRun && { key_id: caller.key.key_id }) };
    const body = newRun && !isSameJson(newRun, run) ? newRun : undefined;
    // What changes nothing leaves no entry in the audit.
    if (!body && isSameJson(pickOf(monitor, settings), settings)) return { monitor, run };
    const { change, effects } = await changeOf(monitor, settings, body !== undefined);
    effects.push(auditWrite(workspaceId, by, 'monitor.update', monitor.id));
    const after = await whileActive(caller, (check) =>
      monitors.commit(monitor, change, { effects: [...effects, check], run: body }),
    );
    return { monitor: after, run: body ?? run };
  });
}

/** The present values of what is to be set. */
const pickOf = (monitor: MonitorRecord, settings: MonitorChange): object =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, Reflect.get(monitor, name)]));

/** How a change of settings changes due times, marks and comparisons (rules.md: monitors 11). */
async function changeOf(
  before: MonitorRecord,
  settings: MonitorChange,
  otherRun: boolean,
): Promise<{ change: MonitorChange; effects: Write[] }> {
  const now = Date.now();
  const after = { ...before, ...settings };
  const key = { workspace_id: before.workspace_id, monitor_id: before.id };
  const otherTrigger = !isSameJson(before.on, after.on);
  const change: MonitorChange = { ...settings, ...(otherRun && { revision: newNonce() }) };
  const effects: Write[] = [];
  if (otherTrigger || before.status !== after.status)
    Object.assign(change, { next_fire_at: nextFireAt(after, now), marked: undefined });
  const late = lateDues(before, after.status === 'paused' ? 'paused' : 'missed', now);
  // What was due before is listed; what will be due is not.
  const listed = late && 'next_fire_at' in change ? [late] : [];
  if (after.status === 'paused' && before.queued && before.queued.cause !== 'request') {
    listed.push({ ...before.queued, fired_at: now, outcome: 'skipped', reason: 'paused' });
    Object.assign(change, { queued: undefined, look_at: undefined });
  }
  Object.assign(change, fires.newestFire(before, listed));
  effects.push(...listed.map((fire) => fires.fireWrite(key, fire)));
  const watching = watchers(after) - watchers(before);
  if (watching !== 0)
    effects.push(
      monitorCountWrite(before.workspace_id, { monitors: 0, change_monitors: watching }, limits.monitors_max),
    );
  if (otherRun) effects.push(compared.forgetWrite(key));
  else if (before.notify === 'every' && after.notify === 'changed')
    effects.push(...(await lastSucceeded(before)));
  return { change, effects };
}

/** The due times that had no time left to fire, as one entry. */
function lateDues(
  { on, next_fire_at }: MonitorRecord,
  reason: 'paused' | 'missed',
  now: number,
): Fire | undefined {
  if (next_fire_at === undefined || next_fire_at > now || !('cron' in on)) return undefined;
  const { last: until, count } = dueTimes(scheduleOf(on), next_fire_at, now);
  const entry = {
    due_at: next_fire_at,
    fired_at: now,
    cause: 'schedule',
    outcome: 'skipped',
    reason,
  } as const;
  return { id: newTimeOrderedId(now), ...entry, until, count };
}

/** How many fires are looked through for the last succeeded run, when comparisons begin. */
const FIRES_LOOKED_AT = 50;

/** Write of the run to compare with first: the one that succeeded last before comparisons began. */
async function lastSucceeded({ workspace_id, id, revision }: MonitorRecord): Promise<Write[]> {
  const key = { workspace_id, monitor_id: id };
  const listed = await fires.page(key, FIRES_LOOKED_AT);
  const found = await runs.getMany(
    workspace_id,
    listed.flatMap(({ run_id }) => run_id ?? []),
  );
  const [last] = found
    .filter((run) => run.status === 'succeeded' && run.fired_by?.revision === revision)
    .toSorted((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0));
  if (!last) return [];
  const table_id = last.artifacts.find(({ kind }) => kind === 'table')?.id;
  return [
    compared.comparedWrite(key, await compared.read(key), {
      run_id: last.id,
      ...(table_id !== undefined && { table_id }),
      revision,
    }),
  ];
}

/** Deletes a monitor; its runs stay. Throws monitor_not_found, and auth_invalid as `updateMonitor` does. */
export async function deleteMonitor(caller: Caller, id: string | undefined, by: Actor): Promise<void> {
  const workspaceId = caller.workspace.workspace_id;
  await monitors.retryIfStale(async () => {
    const { monitor } = await findMonitor(workspaceId, id);
    const { claim } = monitor;
    const effects = [
      compared.forgetWrite({ workspace_id: workspaceId, monitor_id: monitor.id }),
      monitorCountWrite(
        workspaceId,
        { monitors: -1, change_monitors: -watchers(monitor) },
        limits.monitors_max,
      ),
      auditWrite(workspaceId, by, 'monitor.delete', monitor.id),
      ...(claim === undefined ? [] : [idempotency.forgetKeyWrite(workspaceId, claim)]),
    ];
    await whileActive(caller, (check) => monitors.remove(monitor, [check, ...effects]));
  });
}
