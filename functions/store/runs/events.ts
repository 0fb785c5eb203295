// The event log of a run: appended by commits, read in order and without gaps.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type EventBody, eventTypes, type RunEvent } from '#contract/events.ts';
import { JsonObject } from '#contract/json.ts';
import { retentionDays } from '#contract/retention.ts';
import { expiryOf, FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { type Item, queryAll, table, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { TracedCalls } from './model-tries.ts';

/** What a reader needs of a run to read its log. */
export interface LoggedRun {
  id: string;
  workspace_id: string;
  api_version: string;
}

/** The end of the log of a run. */
interface LogEnd {
  last_sequence: number;
  last_event_at: number;
}

/** What an announcement needs of a run whose log has grown. */
export type GrowingLog = LoggedRun & LogEnd & { log_finished: boolean };

/** How far the log of a run grew by one commit. */
export interface Growth extends Pick<LoggedRun, 'id' | 'workspace_id'> {
  last_sequence: number;
  /** Whether the log has ended. */
  finished: boolean;
}

const Events = z.array(z.object({ event_type: z.enum(eventTypes), data: JsonObject }));

/**
 * Events of one commit. `previous_at` is the time of the event before them; it distinguishes a gap from expired events.
 */
const Batch = z.object({
  first_sequence: z.number(),
  occurred_at: z.number(),
  previous_at: z.number(),
  events: Events,
});
type Batch = z.infer<typeof Batch>;

const RETENTION_MS = retentionDays.event * 24 * 3600 * 1000;

function eventItem(
  run: LoggedRun & LogEnd,
  events: EventBody[],
  previousAt: number,
  traced: TracedCalls | undefined,
): Item {
  return {
    ...keys.run(run.workspace_id, run.id),
    sk: keys.events(run.last_sequence),
    first_sequence: run.last_sequence - events.length + 1,
    occurred_at: run.last_event_at,
    previous_at: previousAt,
    events,
    ...(traced && traced.tries.length > 0 && { traced }),
    ...expiryOf('event', run.last_event_at),
  };
}

/** The time of what a run does now. Its log never runs backwards: a clock behind the last event is ignored. */
export const logTime = (run: Pick<LogEnd, 'last_event_at'>, nowMs: number) =>
  Math.max(nowMs, run.last_event_at);

/**
 * Appends the events of one commit to the log of a run, with the model calls that the trace shows; returns the changed
 * run and the write.
 */
export function withEvents<Run extends LoggedRun & LogEnd>(
  run: Run,
  events: EventBody[],
  nowMs: number,
  traced?: TracedCalls,
): { after: Run; log: Write[] } {
  if (events.length === 0) return { after: run, log: [] };
  const last_event_at = logTime(run, nowMs);
  const after = { ...run, last_sequence: run.last_sequence + events.length, last_event_at };
  const Item = eventItem(after, events, run.last_event_at, traced);
  const isNew = { ConditionExpression: FREE_KEY, ExpressionAttributeValues: freeKeyValues(nowMs) };
  return { after, log: [{ Put: { TableName: tableName(), Item, ...isNew } }] };
}

/** The time of the oldest unexpired events, epoch ms (rules.md: events 1). */
export function oldestRetained(nowMs: number): number {
  return nowMs - RETENTION_MS;
}

/** Id of a run's n-th event. It names run and sequence, so it can be checked without reading the log. */
export function eventId(runId: string, sequence: number): string {
  return `evt_${runId.replaceAll('-', '')}${sequence.toString(16).padStart(8, '0')}`;
}

/** Events in order, and whether more of them can be read at once. */
export interface LogPart {
  events: RunEvent[];
  more: boolean;
}

/**
 * Events after `sequence`, oldest first, at most `limit` and at most one query's worth (1 MB). Returns only the
 * contiguous prefix: a query may see a later commit before an earlier one, and a reader that skipped it would lose it.
 * Leaves out expired events, which TTL deletes late.
 */
export async function readAfter(run: LoggedRun, sequence: number, limit: number): Promise<LogPart> {
  const oldest = oldestRetained(Date.now());
  let start: Item | undefined;
  do {
    // One item more than requested: each has at least one event, so the extra item shows whether there are more.
    const page = await queryBatches(run, sequence, limit + 1, start);
    const retained = page.batches.filter((batch) => batch.occurred_at >= oldest);
    start = page.next;
    if (retained.length > 0)
      return toPart(run, retained, { after: sequence, limit, oldest, cut: start !== undefined });
  } while (start);
  return { events: [], more: false };
}

const TracedBatch = Batch.extend({ traced: TracedCalls.optional() });

/** The events of one commit, and the model calls that it reported. */
export interface LoggedCommit {
  events: RunEvent[];
  traced: TracedCalls | undefined;
}

/** The whole log of a run, commit by commit, without what has expired. */
export async function readCommits(run: LoggedRun): Promise<LoggedCommit[]> {
  const items = await queryAll(keys.runPartition(run.workspace_id, run.id), keys.log);
  return items.map((item) => {
    const { traced, ...batch } = TracedBatch.parse(item);
    return { events: eventsOf(run, batch), traced };
  });
}

async function queryBatches(
  run: LoggedRun,
  sequence: number,
  Limit: number,
  ExclusiveStartKey: Item | undefined,
): Promise<{ batches: Batch[]; next: Item | undefined }> {
  const page = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :end',
      ExpressionAttributeValues: {
        ':pk': keys.runPartition(run.workspace_id, run.id),
        ':after': keys.events(sequence + 1),
        ':end': keys.events(9_999_999_999),
      },
      ConsistentRead: true,
      Limit,
      ExclusiveStartKey,
    }),
  );
  return { batches: (page.Items ?? []).map((item) => Batch.parse(item)), next: page.LastEvaluatedKey };
}

function toPart(
  run: LoggedRun,
  batches: Batch[],
  { after, limit, oldest, cut }: { after: number; limit: number; oldest: number; cut: boolean },
): LogPart {
  const whole = batches.slice(0, holeIn(batches, after, oldest));
  const events = whole.flatMap((batch) => eventsOf(run, batch)).filter((event) => event.sequence > after);
  const more = events.length > limit || (cut && whole.length === batches.length);
  return { events: events.slice(0, limit), more };
}

/** Index of the first batch after a gap of unexpired events; the number of batches if there is no gap. */
function holeIn(batches: Batch[], after: number, oldest: number): number {
  let last = after;
  for (const [i, batch] of batches.entries()) {
    if (batch.first_sequence > last + 1 && batch.previous_at >= oldest) return i;
    last = batch.first_sequence + batch.events.length - 1;
  }
  return batches.length;
}

function eventsOf(run: LoggedRun, batch: Omit<Batch, 'previous_at'>): RunEvent[] {
  return batch.events.map((event, i) => toEvent(run, batch.first_sequence + i, batch.occurred_at, event));
}

function toEvent(
  run: LoggedRun,
  sequence: number,
  occurredAt: number,
  event: { event_type: RunEvent['event_type']; data: RunEvent['data'] },
): RunEvent {
  const id = eventId(run.id, sequence);
  return {
    id,
    event_id: id,
    sequence,
    event_type: event.event_type,
    occurred_at: occurredAt,
    run_id: run.id,
    api_version: run.api_version,
    data: event.data,
  };
}
