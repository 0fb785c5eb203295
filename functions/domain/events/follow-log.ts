// Follows a log: whether a reader has reached its end, and waiting for its next events.
import { type LoggedRun, type LogPart, oldestRetained, readAfter } from '#store/runs/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { growth } from './wait-for-growth.ts';

/**
 * Whether a reader that has read up to `sequence` has read the whole log: it is finished, and no retained event
 * follows.
 */
export function isOver(
  run: Pick<RunRecord, 'log_finished' | 'last_sequence' | 'last_event_at'>,
  sequence: number,
): boolean {
  const nothingLeft = run.last_sequence <= sequence || run.last_event_at < oldestRetained(Date.now());
  return run.log_finished && nothingLeft;
}

const reading = new Map<string, Promise<LogPart>>();

/**
 * Shares one read among readers that ask for the same part of a log at the same time: all streams of a run wake
 * together.
 */
function readTogether(log: LoggedRun, sequence: number, limit: number): Promise<LogPart> {
  const name = `${log.workspace_id}/${log.id}/${sequence}/${limit}`;
  const running = reading.get(name);
  if (running) return running;
  const read = readAfter(log, sequence, limit).finally(() => reading.delete(name));
  reading.set(name, read);
  return read;
}

interface Options {
  limit: number;
  /** The last event that the reader knows of. If it has read that, it waits for the log to grow before it reads. */
  known: number;
  /** Time of the latest known event; the older it is, the rarer the polls. */
  sinceMs: number;
  untilMs: number;
}

/**
 * Waits for events after `sequence`; returns none when `untilMs` passes first, or the log seems deleted. Check `isOver`
 * first: a log that has ended never grows.
 */
export async function waitForEvents(log: LoggedRun, sequence: number, options: Options): Promise<LogPart> {
  for (let isBehind = options.known > sequence; ; isBehind = false) {
    if (!isBehind && !(await growth(log, sequence, options))) return { events: [], more: false };
    const part = await readTogether(log, sequence, options.limit);
    // New events may not be readable yet.
    if (part.events.length > 0) return part;
  }
}
