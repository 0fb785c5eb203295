// The sparse index of what is open: runs that have not ended, deliveries that are not over.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { table, tableName } from './table.ts';
import { due } from './table-keys.ts';

const DueItem = z.object({ pk: z.string(), sk: z.string() });

/** Keys of what the sweep has to look at: entries of the sparse index that were due before `nowMs`. */
export async function dueKeys(
  kind: (typeof due)['runs' | 'deliveries'],
  nowMs: number,
  limit: number,
): Promise<{ workspace_id: string; run_id: string; sk: string }[]> {
  const page = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: due.index,
      KeyConditionExpression: 'due_pk = :kind AND due_at < :now',
      ExpressionAttributeValues: { ':kind': kind, ':now': nowMs },
      Limit: limit,
    }),
  );
  return (page.Items ?? [])
    .map((item) => DueItem.parse(item))
    .map(({ pk, sk }) => {
      const [, workspace_id = '', , run_id = ''] = pk.split('#');
      return { workspace_id, run_id, sk };
    });
}
