// The event log of a run: what was committed, read in order and without gaps.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { RunEvent } from '#contract/events.ts';
import { eventTypes } from '#contract/events.ts';
import { Json } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { table, tableName } from './table.ts';
import { keys } from './table-keys.ts';

const Batch = z.object({
  first_sequence: z.number(),
  occurred_at: z.number(),
  events: z.array(z.object({ event_type: z.enum(eventTypes), data: z.record(z.string(), Json) })),
});

/** Id of a run's n-th event. It names run and sequence, so it can be checked without a look into the log. */
export function eventId(runId: string, sequence: number): string {
  return `evt_${runId.replaceAll('-', '')}${sequence.toString(16).padStart(8, '0')}`;
}

/**
 * Events after `sequence`, oldest first, at most `limit`. Only the contiguous prefix is returned: a query may see a later
 * commit before an earlier one, and a reader that skipped it would lose it for good. Events past their retention are
 * left out (deletion by TTL lags), and the log then begins at the oldest kept one.
 */
export async function readAfter(
  run: { id: string; workspace_id: string; api_version: string },
  sequence: number,
  limit: number,
): Promise<RunEvent[]> {
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
      Limit: limit,
    }),
  );
  const oldestKept = Date.now() - limits.event_retention_days * 24 * 3600 * 1000;
  const kept = (page.Items ?? [])
    .map((item) => Batch.parse(item))
    .filter((batch) => batch.occurred_at >= oldestKept);
  const events = kept.flatMap((batch) =>
    batch.events.map((event, i) => toEvent(run, batch.first_sequence + i, batch.occurred_at, event)),
  );
  return contiguous(
    events.filter((event) => event.sequence > sequence),
    sequence,
    oldestKept,
  ).slice(0, limit);
}

/** A hole right after the cursor is either an expired beginning (the first event kept is near its end) or a commit not yet visible. */
function contiguous(events: RunEvent[], after: number, oldestKept: number): RunEvent[] {
  const first = events[0];
  if (!first) return [];
  const expiredBefore =
    first.sequence !== after + 1 && first.occurred_at < oldestKept + EXPIRY_NEIGHBOURHOOD_MS;
  if (first.sequence !== after + 1 && !expiredBefore) return [];
  const end = events.findIndex((event, i) => event.sequence !== first.sequence + i);
  return end < 0 ? events : events.slice(0, end);
}
const EXPIRY_NEIGHBOURHOOD_MS = 29 * 24 * 3600 * 1000;

function toEvent(
  run: { id: string; api_version: string },
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
