// The list of a workspace's runs by time: one small item beside each run.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { InputType } from '#contract/runs.ts';
import { table, tableName, type Write } from './table.ts';
import { keys } from './table-keys.ts';

interface ListableRun {
  id: string;
  workspace_id: string;
  created_at: number;
  input_type: InputType;
}

/** Write that puts a new run on the list. */
export function listedRunWrite({ id, workspace_id, created_at, input_type }: ListableRun): Write {
  const Item = { ...keys.listedRun(workspace_id, created_at, id), run_id: id, input_type };
  return { Put: { TableName: tableName(), Item } };
}

const ListedRun = z.object({ sk: z.string(), run_id: z.string() });

/** A page of a workspace's runs by id, newest first, from after `afterKey`; `nextKey` is undefined on the last page. */
export async function page(
  workspaceId: string,
  options: { limit: number; inputType?: InputType; afterKey?: string },
): Promise<{ listed: { run_id: string; key: string }[]; nextKey: string | undefined }> {
  const pk = keys.runList(workspaceId);
  const byType = options.inputType && { FilterExpression: 'input_type = :type' };
  const found = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk, ...(options.inputType && { ':type': options.inputType }) },
      ...byType,
      ScanIndexForward: false,
      Limit: options.limit,
      ConsistentRead: true,
      ...(options.afterKey && { ExclusiveStartKey: { pk, sk: options.afterKey } }),
    }),
  );
  const listed = (found.Items ?? [])
    .map((item) => ListedRun.parse(item))
    .map(({ run_id, sk }) => ({ run_id, key: sk }));
  const last = found.LastEvaluatedKey?.sk;
  return { listed, nextKey: typeof last === 'string' ? last : undefined };
}
