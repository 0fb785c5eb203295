// POST /monitors/{id}/fire: a fire at once, whatever becomes of it; a repeated request finds its fire.
import { fail } from '#contract/errors.ts';
import type { Fire } from '#contract/monitors.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { whileActive } from '#domain/access/still-active.ts';
import { checkKeyDay } from '#domain/commands/reserve-capacity.ts';
import * as fires from '#store/monitors/fires.ts';
import type { MonitorKey } from '#store/monitors/monitors.ts';
import type { IdempotencyKey } from '#store/runs/idempotency.ts';
import { claimWrite } from '#store/runs/idempotency.ts';
import { expiryOf } from '#store/table/expiry.ts';
import { ConditionFailed } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { claimedId } from './claimed-id.ts';
import { findMonitor } from './find-monitor.ts';
import { type FireSetting, fireNow } from './fire.ts';

interface FireRequest {
  caller: CallerWithCosts;
  monitor_id: string | undefined;
  by: Actor;
  idempotency: IdempotencyKey | undefined;
}

/**
 * The fire of a request, whose key makes no run once its day is spent, even if another one pays (rules.md: keys 12).
 * Throws monitor_not_found, idempotency_key_conflict, cost_threshold_exceeded.
 */
export async function fireOnRequest(
  { caller, monitor_id, by, idempotency }: FireRequest,
  setting: FireSetting,
): Promise<{ fire: Fire; replayed: boolean }> {
  const { workspace_id } = caller.workspace;
  const { monitor } = await findMonitor(workspace_id, monitor_id);
  const key = { workspace_id, monitor_id: monitor.id };
  const existing = await existingFire(key, idempotency);
  if (existing) return { fire: existing, replayed: true };
  checkKeyDay(caller);
  const effects = ({ id, fired_at }: Fire) => [
    ...(idempotency ? [claimWrite(idempotency, id, expiryOf('fire', fired_at))] : []),
    auditWrite(workspace_id, by, 'monitor.fire', monitor.id),
  ];
  const { request_id } = by;
  try {
    const fire = await whileActive(caller, (check) => {
      const request = { request_id, effects: (made: Fire) => [check, ...effects(made)] };
      return fireNow(key, request, setting);
    });
    if (!fire) throw fail('monitor_not_found');
    return { fire, replayed: false };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A copy of the request was faster, or another request took the key.
    const existing = await existingFire(key, idempotency);
    if (!existing) throw error;
    return { fire: existing, replayed: true };
  }
}

async function existingFire(
  key: MonitorKey,
  idempotency: IdempotencyKey | undefined,
): Promise<Fire | undefined> {
  const id = idempotency && (await claimedId(idempotency));
  return id === undefined ? undefined : fires.get(key, id);
}
