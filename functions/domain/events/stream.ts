// The event stream: the log of a run as server-sent events, from a resume point to its end (Spec: Server-sent event stream).
import { fail } from '#contract/errors.ts';
import { finalEventTypes, type RunEvent } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { findRun } from '#domain/runs/find.ts';
import { eventId } from '#store/events.ts';
import { get, type RunRecord } from '#store/runs.ts';
import { waitForEvents } from './wait.ts';

const BATCH = 100;

/** The id of `connection.expired`: it is not in the log, and stands for the last event that was delivered before it. */
function expiredId(runId: string, sequence: number): string {
  return eventId(runId, sequence).replace(/^evt_/, 'exp_');
}

/** The sequence that a resume point stands after. Throws schema_validation_failed for an id that this run never emitted. */
function resumePoint(run: RunRecord, lastEventId: string | undefined): number {
  if (lastEventId === undefined) return 0;
  const sequence = Number.parseInt(/^e(?:vt|xp)_[0-9a-f]{32}([0-9a-f]{8})$/.exec(lastEventId)?.[1] ?? '', 16);
  const known = lastEventId === eventId(run.id, sequence) || lastEventId === expiredId(run.id, sequence);
  const emitted = known && sequence <= run.last_sequence && (sequence > 0 || lastEventId.startsWith('exp_'));
  if (emitted) return sequence;
  const issue = {
    code: 'custom',
    expected: 'id of an event of this run',
    received: 'string',
    path: ['last_event_id'],
    message: 'The run never emitted this event',
  };
  throw fail('schema_validation_failed', {
    param: 'last_event_id',
    message: issue.message,
    details: { issues: [issue] },
  });
}

/** One message; JSON holds no line breaks, so one data line is enough. */
export function frame(event: RunEvent): string {
  return `id: ${event.id}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function expired(run: RunRecord, sequence: number): RunEvent {
  const id = expiredId(run.id, sequence);
  const last_event_id = sequence > 0 ? eventId(run.id, sequence) : null;
  return {
    id,
    event_id: id,
    sequence,
    event_type: 'connection.expired',
    occurred_at: Date.now(),
    run_id: run.id,
    api_version: run.api_version,
    data: { reason: 'max_duration', last_event_id, max_duration_ms: limits.stream_max_duration_ms },
  };
}

/** Whether the log is over for a reader that has come to `sequence`. */
async function isOver(run: RunRecord, sequence: number): Promise<boolean> {
  const now = await get(run.workspace_id, run.id);
  return !now || (now.log_finished && now.last_sequence <= sequence);
}

async function* follow(run: RunRecord, from: number, connectedAt: number): AsyncGenerator<string> {
  const cutAt = connectedAt + limits.stream_max_duration_ms;
  // The first bytes open the stream at the client before anything happens.
  yield ':\n\n';
  for (let sequence = from; ; ) {
    const untilMs = Math.min(Date.now() + limits.stream_heartbeat_ms, cutAt);
    const events = await waitForEvents(run, sequence, { limit: BATCH, untilMs });
    for (const event of events) yield frame(event);
    sequence = events.at(-1)?.sequence ?? sequence;
    const final = events.some((event) => finalEventTypes.includes(event.event_type));
    if (final && (await isOver(run, sequence))) return;
    if (Date.now() >= cutAt) {
      yield frame(expired(run, sequence));
      return;
    }
    if (events.length === 0) yield ':\n\n';
  }
}

/**
 * The stream of a run from right after `lastEventId`; null when the log has ended there. Each event is sent once, a comment after 15 s of
 * silence, the cut after 10 minutes; it ends when the log does. Throws run_not_found, schema_validation_failed.
 */
export async function openStream(
  workspaceId: string,
  runId: string | undefined,
  lastEventId: string | undefined,
): Promise<AsyncIterable<string> | null> {
  const run = await findRun(workspaceId, runId);
  const from = resumePoint(run, lastEventId);
  if (run.log_finished && run.last_sequence <= from) return null;
  return follow(run, from, Date.now());
}
