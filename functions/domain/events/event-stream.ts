// The event stream: the log of a run as server-sent events, from a resume point to its end (rules.md: stream).
import { finalEventTypes, type RunEvent } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { unknownPosition } from '#domain/runs/unknown-position.ts';
import { eventId } from '#store/runs/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isOver, waitForEvents } from './follow-log.ts';

const BATCH = 100;
const COMMENT = ':\n\n';
/** The id of `connection.expired` is not in the log: it contains the cursor after the last delivered event. */
const EXPIRED_PREFIX = 'exp_';

async function expiredId(runId: string, sequence: number): Promise<string> {
  return `${EXPIRED_PREFIX}${await encodeCursor(runId, sequence)}`;
}

/** The sequence in an id; undefined when this run cannot have emitted it. */
async function sequenceOf(run: RunRecord, id: string): Promise<number | undefined> {
  if (id.startsWith(EXPIRED_PREFIX)) return decodeCursor(run.id, id.slice(EXPIRED_PREFIX.length));
  const sequence = Number.parseInt(id.slice(-8), 16);
  return sequence > 0 && id === eventId(run.id, sequence) ? sequence : undefined;
}

/** The sequence after which a client resumes. Throws schema_validation_failed for an id that this run never emitted. */
async function resumePoint(run: RunRecord, lastEventId: string | undefined): Promise<number> {
  if (lastEventId === undefined) return 0;
  const sequence = await sequenceOf(run, lastEventId);
  if (sequence !== undefined && sequence <= run.last_sequence) return sequence;
  throw unknownPosition(
    'last_event_id',
    'the id of an event of this run',
    'The run never emitted this event',
  );
}

/** One message; JSON holds no line breaks, so one data line is enough. */
function frame(event: RunEvent): string {
  return `id: ${event.id}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function expired(run: RunRecord, sequence: number, max_duration_ms: number): Promise<RunEvent> {
  const id = await expiredId(run.id, sequence);
  const last_event_id = sequence > 0 ? eventId(run.id, sequence) : null;
  return {
    id,
    event_id: id,
    sequence,
    event_type: 'connection.expired',
    occurred_at: Date.now(),
    run_id: run.id,
    api_version: run.api_version,
    data: { reason: 'max_duration', last_event_id, max_duration_ms },
  };
}

/** Whether an event is the last of its log: a resumed run has an earlier `run.failed` within its log. */
async function endsLog(run: RunRecord, event: RunEvent): Promise<boolean> {
  if (!finalEventTypes.includes(event.event_type)) return false;
  const now = await runs.get(run.workspace_id, run.id);
  return now === undefined || isOver(now, event.sequence);
}

async function* follow(
  run: RunRecord,
  from: number,
  connectedAt: number,
  maxMs: number,
): AsyncGenerator<string> {
  const cutAt = connectedAt + maxMs;
  // The first bytes open the stream at the client before any event.
  yield COMMENT;
  let sequence = from;
  let sinceMs = run.last_event_at;
  let known = run.last_sequence;
  for (;;) {
    const untilMs = Math.min(Date.now() + limits.stream_heartbeat_ms, cutAt);
    const options = { limit: BATCH, known, sinceMs, untilMs };
    const { events, more } = await waitForEvents(run, sequence, options);
    known = (events.at(-1)?.sequence ?? sequence) + (more ? 1 : 0);
    for (const event of events) {
      if (Date.now() >= cutAt) break;
      yield frame(event);
      sequence = event.sequence;
      sinceMs = event.occurred_at;
    }
    const last = events.at(-1);
    if (last && last.sequence === sequence && (await endsLog(run, last))) return;
    if (Date.now() >= cutAt) return yield frame(await expired(run, sequence, maxMs));
    if (last) continue;
    if (Date.now() >= untilMs) yield COMMENT;
    else if (!(await runs.get(run.workspace_id, run.id))) return;
  }
}

/**
 * The text of a run's stream right after `lastEventId`, piece by piece; null when the log has ended there. Sends each
 * event once, a comment after 15 s of silence, and expires after `maxMs`. Ends with the log: Lambda does not report a
 * client that disconnects. Throws run_not_found, schema_validation_failed.
 */
export async function openStream(
  workspaceId: string,
  runId: string | undefined,
  lastEventId: string | undefined,
  maxMs: number = limits.stream_max_duration_ms,
): Promise<AsyncIterable<string> | null> {
  const connectedAt = Date.now();
  const run = await findRun(workspaceId, runId);
  const from = await resumePoint(run, lastEventId);
  if (isOver(run, from)) return null;
  return follow(run, from, connectedAt, maxMs);
}
