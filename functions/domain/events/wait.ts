// Waiting for the next event of a run: reads often while things happen, seldom while nothing does.
import type { RunEvent } from '#contract/events.ts';
import { pause } from '#platform/pause.ts';
import { readAfter } from '#store/events.ts';
import type { RunRecord } from '#store/runs.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
const GROWTH = 1.15;

/**
 * The events after `sequence` as soon as there are any, or none when `untilMs` passes or the signal fires first. Reads at most 20 times
 * a second and backs off to once a second (Design: budgets). A log that has ended never grows: ask before waiting.
 */
export async function waitForEvents(
  log: Pick<RunRecord, 'id' | 'workspace_id' | 'api_version'>,
  sequence: number,
  options: { limit: number; untilMs: number; signal?: AbortSignal },
): Promise<RunEvent[]> {
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * GROWTH, LONGEST_PAUSE_MS)) {
    const events = await readAfter(log, sequence, options.limit);
    const left = options.untilMs - Date.now();
    if (events.length > 0 || left <= 0 || options.signal?.aborted) return events;
    await pause(Math.min(wait, left), options.signal);
  }
}
