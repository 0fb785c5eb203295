// The counters of workspaces: slots that outlived their runs, entries of the ledger that wait for items of their own, days that are over.
import { reconcileSlots } from '#domain/runs/slots.ts';
import { forgetPastDays } from '#store/money/costs.ts';
import { forgetEmpty, LOOK_AFTER_MS } from '#store/money/counters.ts';
import { writeLedger } from '#store/money/ledger.ts';
import { postpone } from '#store/table/due.ts';
import { due, workspaceOfPartition } from '#store/table/table-keys.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';

/** Tidies the counters of every workspace that held a slot or a pending entry for a while; those that hold nothing any more are forgotten. */
export function sweepSlots(time: SweepTime): Promise<Repairs> {
  return repairDue(due.slots, time, async (item) => {
    const workspaceId = workspaceOfPartition(item.pk);
    const { released, in_flight, ledger_pending } = await reconcileSlots(
      workspaceId,
      Number.POSITIVE_INFINITY,
    );
    if (ledger_pending) await writeLedger(workspaceId);
    await forgetPastDays(workspaceId, time.now);
    const empty = in_flight === 0 && (await forgetEmpty(workspaceId));
    if (!empty) await postpone(item, time.now + LOOK_AFTER_MS);
    return { slots_released: released };
  });
}
