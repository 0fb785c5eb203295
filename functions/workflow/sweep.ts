// Every minute: finishes what crashes left half-done, and counts each healing for an alarm.

import { resendOverdue } from '#domain/recovery/resend-overdue-deliveries.ts';
import { sweepRuns } from '#domain/recovery/sweep.ts';
import { count } from '#platform/metrics.ts';

/** One sweep; what it did goes into metrics and back to whoever invoked it. */
export async function handler() {
  const now = Date.now();
  const [runs, resent] = await Promise.all([sweepRuns(now), resendOverdue(now)]);
  const healed = { ...runs, deliveries_resent: resent };
  for (const [name, times] of Object.entries(healed)) if (times > 0) count(`healed_${name}`, times);
  return healed;
}
