// The counters of workspaces: stale slots, ledger entries that wait for separate items, past days. A workspace with
// runs is visited here, so its usage is summed up as well.
import { reconcileSlots } from '#domain/runs/reconcile-slots.ts';
import { utcDay } from '#store/money/costs.ts';
import { CHECK_AFTER_MS, forgetEmpty } from '#store/money/counters.ts';
import { removePastDays } from '#store/money/earlier-days.ts';
import { writeLedger } from '#store/money/ledger.ts';
import { postpone } from '#store/table/due.ts';
import { due, workspaceOfPartition } from '#store/table/table-keys.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';
import { isUsageTurn, sumUpUsage } from './sum-up-usage.ts';

/**
 * Tidies the counters of every workspace with slots or pending ledger entries; stops checking those that have none
 * left.
 */
export function sweepSlots(time: SweepTime): Promise<Repairs> {
  return repairDue(due.slots, time, async (item) => {
    const workspaceId = workspaceOfPartition(item.pk);
    const { released, in_flight, ledger_pending } = await reconcileSlots(
      workspaceId,
      Number.POSITIVE_INFINITY,
    );
    if (ledger_pending) await writeLedger(workspaceId);
    await removePastDays(workspaceId, utcDay(time.now));
    if (isUsageTurn(workspaceId, time.now)) await sumUpUsage(workspaceId, time);
    const empty = in_flight === 0 && (await forgetEmpty(workspaceId));
    if (!empty) await postpone(item, time.now + CHECK_AFTER_MS);
    return { slots_released: released };
  });
}
