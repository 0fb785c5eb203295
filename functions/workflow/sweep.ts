// Runs every minute: finishes what crashes left half-done, counts each repair for an alarm, and has records compacted that are due.
import { enqueueCompactions } from '#domain/records/enqueue-compactions.ts';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { sweepRuns } from '#domain/recovery/sweep.ts';
import { count } from '#platform/metrics.ts';

/** Sweeps once; counts the repairs as metrics and returns them with the number of compactions. */
export async function handler() {
  const now = Date.now();
  const [runs, resent, compactions] = await Promise.all([
    sweepRuns(now),
    resendOverdueDeliveries(now),
    enqueueCompactions(now),
  ]);
  const repairs = { ...runs, deliveries_resent: resent };
  for (const [name, times] of Object.entries(repairs)) if (times > 0) count(`healed_${name}`, { times });
  return { ...repairs, compactions_queued: compactions };
}
