// Runs of a monitor whose answer has not changed.
import type { RunRecord } from '#store/runs/run-record.ts';

/** Whether the run succeeded without a change, so that its monitor sends no webhook (rules.md: monitors 10). */
export function isUntold({ status, changes }: Pick<RunRecord, 'status' | 'changes'>): boolean {
  return (
    status === 'succeeded' && changes !== undefined && Object.values(changes).every((count) => count === 0)
  );
}
