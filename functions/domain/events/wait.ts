// Waiting for the next events of a run.
import { type LoggedRun, type LogPart, readAfter } from '#store/events.ts';
import { logGrew } from './watch.ts';

const reading = new Map<string, Promise<LogPart>>();

/** One read for all who ask for the same part of a log at the same moment: the streams of one run wake together. */
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
  /** Whether the reader is known to have come to the end, so that there is nothing to read before the log grows. */
  caughtUp: boolean;
  /** Time of the latest event that is known: the longer ago, the rarer the looks. */
  sinceMs: number;
  untilMs: number;
  signal?: AbortSignal;
}

/**
 * The events after `sequence` as soon as there are any, or none when `untilMs` passes or the signal fires first. A log that has ended
 * never grows: ask before waiting.
 */
export async function waitForEvents(log: LoggedRun, sequence: number, options: Options): Promise<LogPart> {
  for (let { caughtUp } = options; ; caughtUp = true) {
    if (caughtUp && !(await logGrew(log, sequence, options))) return { events: [], more: false };
    const part = await readTogether(log, sequence, options.limit);
    // What the log grew by may not be readable yet.
    if (part.events.length > 0) return part;
  }
}
