// The deliveries of a workspace by time: an index of all, and the failed ones in the index of work. Both lag behind the
// table, and have keys only.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { DeliveryKey } from '#contract/run-keys.ts';
import { table, tableName } from '../table/table.ts';
import { deliveryIndex, deliveryOfKey, due, failedDeliveries, keys } from '../table/table-keys.ts';

/** A delivery and the time of its creation, epoch ms: its position in both lists. */
export interface ListedDelivery extends DeliveryKey {
  listed_at: number;
}

export interface DeliveryRange {
  /** Epoch ms, exclusive. */
  created_after?: number | undefined;
  created_before?: number | undefined;
}

const Entry = z.object({
  pk: z.string(),
  sk: z.string(),
  listed_at: z.number().optional(),
  due_at: z.number().optional(),
});

/** Which deliveries, and in which order. */
export type DeliveryListName = 'all' | 'newest failed' | 'oldest failed';

/** Deliveries of a list from after `start`. `more`: others follow. */
export async function page(
  workspaceId: string,
  list: DeliveryListName,
  options: DeliveryRange & { start?: ListedDelivery | undefined; limit: number },
): Promise<{ listed: ListedDelivery[]; more: boolean }> {
  const { created_after = -1, created_before = Number.MAX_SAFE_INTEGER, start, limit } = options;
  if (created_before - created_after < 2) return { listed: [], more: false };
  const [index, pk, sk, partition] =
    list === 'all'
      ? ([deliveryIndex.name, deliveryIndex.pk, deliveryIndex.sk, workspaceId] as const)
      : ([due.index, 'due_pk', 'due_at', failedDeliveries(workspaceId)] as const);
  const found = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: index,
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#pk': pk, '#sk': sk },
      ExpressionAttributeValues: {
        ':pk': partition,
        ':first': created_after + 1,
        ':last': created_before - 1,
      },
      ScanIndexForward: list === 'oldest failed',
      Limit: limit + 1,
      ...(start && {
        ExclusiveStartKey: {
          ...keys.delivery(workspaceId, start.run_id, start.event_id),
          [pk]: partition,
          [sk]: start.listed_at,
        },
      }),
    }),
  );
  const entries = (found.Items ?? []).map((item) => Entry.parse(item));
  const listed = entries.map((entry) => ({
    ...deliveryOfKey(entry),
    listed_at: entry.listed_at ?? entry.due_at ?? 0,
  }));
  return { listed: listed.slice(0, limit), more: listed.length > limit };
}
