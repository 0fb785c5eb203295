// The sparse index of what waits: runs that have not ended, deliveries that are not over, records to be compacted.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { DeliveryKey, RunKey } from '#contract/keys.ts';
import { table, tableName } from './table.ts';
import { due, keys, runOfPartition, workspaceOfPartition } from './table-keys.ts';

const DueItem = z.object({ pk: z.string(), sk: z.string() });

async function dueItems(
  kind: (typeof due)['runs' | 'deliveries' | 'records'],
  nowMs: number,
  limit: number,
): Promise<z.infer<typeof DueItem>[]> {
  const page = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: due.index,
      KeyConditionExpression: 'due_pk = :kind AND due_at < :now',
      ExpressionAttributeValues: { ':kind': kind, ':now': nowMs },
      Limit: limit,
    }),
  );
  return (page.Items ?? []).map((item) => DueItem.parse(item));
}

/** Runs that were due for a check before `nowMs`, at most `limit`. The index lags behind the table. */
export async function dueRuns(nowMs: number, limit: number): Promise<RunKey[]> {
  return (await dueItems(due.runs, nowMs, limit)).map(({ pk }) => runOfPartition(pk));
}

/** Deliveries that were due before `nowMs`, at most `limit`. The index lags behind the table. */
export async function dueDeliveries(nowMs: number, limit: number): Promise<DeliveryKey[]> {
  const items = await dueItems(due.deliveries, nowMs, limit);
  return items.map(({ pk, sk }) => ({ ...runOfPartition(pk), event_id: sk.slice(keys.deliveries.length) }));
}

/** Workspaces whose records were due for a compaction before `nowMs`, at most `limit`. The index lags behind the table. */
export async function dueRecords(nowMs: number, limit: number): Promise<string[]> {
  return (await dueItems(due.records, nowMs, limit)).map(({ pk }) => workspaceOfPartition(pk));
}
