// Pages of a run's event log, read by cursor.
import { limits } from '#contract/limits.ts';
import type { EventPage } from '#contract/runs.ts';
import { findLog } from '#domain/runs/find-run.ts';
import { unknownPosition } from '#domain/runs/unknown-position.ts';
import { oldestRetained, readAfter } from '#store/runs/events.ts';
import type { LogHead } from '#store/runs/runs.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isOver, waitForEvents } from './follow-log.ts';

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  'keep-open'?: '0' | '1' | undefined;
}

async function sequenceAt(runId: string, cursor: string | undefined): Promise<number> {
  if (cursor === undefined) return 0;
  const sequence = await decodeCursor(runId, cursor);
  if (sequence === undefined)
    throw unknownPosition('cursor', 'a cursor of this run', 'This cursor was not issued for this run');
  return sequence;
}

/**
 * The events after the cursor; an empty page returns the cursor that was sent. With `keep-open` an empty page waits up
 * to 25 s for an event, unless the log has ended. `run` is as read for this request. Throws schema_validation_failed
 * (`cursor`), run_not_found.
 */
export async function eventPage(run: LogHead, query: PageQuery): Promise<EventPage> {
  const after = await sequenceAt(run.id, query.cursor);
  const limit = query.limit ?? limits.events_page_default;
  const waits = query['keep-open'] === '1' && !isOver(run, after);
  const { events, more } = waits
    ? await waitForEvents(run, after, {
        limit,
        known: run.last_sequence,
        sinceMs: run.last_event_at,
        untilMs: Date.now() + limits.keep_open_ms,
      })
    : await readAfter(run, after, limit);
  const last = events.at(-1)?.sequence;
  // The run had more events, which have not expired: it may have been deleted since (rules.md: reads 10).
  const isShort = !more && (last ?? after) < run.last_sequence;
  if (isShort && run.last_event_at >= oldestRetained(Date.now())) await findLog(run.workspace_id, run.id);
  const next_cursor =
    last === undefined && query.cursor !== undefined ? query.cursor : await encodeCursor(run.id, last ?? 0);
  return { object: 'list', data: events, next_cursor, has_more: more };
}
