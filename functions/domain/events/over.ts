// When a log holds nothing more for a reader.
import { oldestKept } from '#store/events.ts';
import type { RunRecord } from '#store/runs.ts';

/** Whether the log has ended for a reader that came to `sequence`: it is finished, and what follows was read or is past its retention. */
export function isOver(
  run: Pick<RunRecord, 'log_finished' | 'last_sequence' | 'last_event_at'>,
  sequence: number,
): boolean {
  const nothingLeft = run.last_sequence <= sequence || run.last_event_at < oldestKept(Date.now());
  return run.log_finished && nothingLeft;
}
