// The sparse index of work for the sweep: runs that have not ended, unfinished deliveries, records to compact,
// counters.
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type Item, table, tableName, takesEffect } from './table.ts';
import { due } from './table-keys.ts';

const DueItem = z.object({ pk: z.string(), sk: z.string(), due_at: z.number() });
/** An entry of the index: the key of the item, and since when it is due (epoch ms). */
export type DueItem = z.infer<typeof DueItem>;

const PAGE_ITEMS = 200;

/**
 * Items of one partition of the index that were due before `nowMs`, longest due first, in pages. The index lags behind
 * the table.
 */
export async function* duePages(partition: string, nowMs: number): AsyncGenerator<DueItem[]> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await table.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: due.index,
        KeyConditionExpression: 'due_pk = :partition AND due_at < :now',
        ExpressionAttributeValues: { ':partition': partition, ':now': nowMs },
        Limit: PAGE_ITEMS,
        ExclusiveStartKey,
      }),
    );
    yield (page.Items ?? []).map((item) => DueItem.parse(item));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/**
 * Makes an item due at `dueAt` (epoch ms), unless that changed since it was read. Does not bump the version, so
 * concurrent commits still succeed.
 */
export async function postpone(item: DueItem, dueAt: number): Promise<void> {
  await move(item, 'SET due_at = :at REMOVE repair_delay_ms', { ':at': dueAt });
}

/** Takes an item out of the index, unless its due time changed since it was read. As `postpone`, without a version. */
export async function removeDue(item: DueItem): Promise<void> {
  await move(item, 'REMOVE due_pk, due_at, repair_delay_ms', {});
}

const DELAY_STEP_MS = 60_000;
/** So that what could not be repaired for days is repaired soon after the cause has gone. */
const LONGEST_DELAY_MS = 15 * 60_000;

/**
 * Postpones an item whose repair failed, a minute longer each time, up to a quarter of an hour. Does not read the item,
 * which may be what is broken.
 */
export async function putOff(item: DueItem, nowMs: number): Promise<void> {
  const last = 'if_not_exists(repair_delay_ms, :none)';
  const grown = `SET due_at = :next + ${last}, repair_delay_ms = ${last} + :step`;
  const step = { ':next': nowMs + DELAY_STEP_MS, ':none': 0, ':step': DELAY_STEP_MS };
  const maximum = { ':longest': LONGEST_DELAY_MS };
  if (await move(item, grown, { ...step, ...maximum }, 'AND NOT repair_delay_ms >= :longest')) return;
  await move(item, 'SET due_at = :at', { ':at': nowMs + LONGEST_DELAY_MS });
}

/** Changes what is due, unless its due time changed since it was read. */
async function move(
  { pk, sk, due_at }: DueItem,
  UpdateExpression: string,
  values: Record<string, number>,
  condition = '',
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: { pk, sk },
    UpdateExpression,
    ConditionExpression: `due_at = :seen ${condition}`,
    ExpressionAttributeValues: { ...values, ':seen': due_at },
  });
  return takesEffect(table.send(update));
}
