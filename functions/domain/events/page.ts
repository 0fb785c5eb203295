// Pages of a run's event log, read by cursor.
import { limits } from '#contract/limits.ts';
import type { EventPage } from '#contract/runs.ts';
import { findRun } from '#domain/runs/find.ts';
import { readAfter } from '#store/events.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { waitForEvents } from './wait.ts';

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  'keep-open'?: '0' | '1' | undefined;
}

/**
 * The events after the cursor; an empty page hands back the cursor that was sent. With `keep-open` an empty page waits up to 25 s for an
 * event, unless the log has ended. Throws run_not_found, schema_validation_failed (`cursor`).
 */
export async function eventPage(
  workspaceId: string,
  runId: string | undefined,
  query: PageQuery,
): Promise<EventPage> {
  const run = await findRun(workspaceId, runId);
  const after = query.cursor === undefined ? 0 : await decodeCursor(run.id, query.cursor);
  const limit = query.limit ?? limits.events_page_default;
  const ask = limit + 1;
  const untilMs = Date.now() + limits.keep_open_ms;
  const ended = run.log_finished && run.last_sequence <= after;
  const found =
    query['keep-open'] === '1' && !ended
      ? await waitForEvents(run, after, { limit: ask, untilMs })
      : await readAfter(run, after, ask);
  const data = found.slice(0, limit);
  const last = data.at(-1);
  const next_cursor = last
    ? await encodeCursor(run.id, last.sequence)
    : (query.cursor ?? (await encodeCursor(run.id, 0)));
  return { object: 'list', data, next_cursor, has_more: found.length > data.length };
}
