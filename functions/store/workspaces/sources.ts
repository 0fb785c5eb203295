// Live sources of a workspace: how each is called, with its secrets encrypted.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { DescribedSource } from '#contract/live-sources.ts';
import {
  ConditionFailed,
  getItem,
  queryAll,
  table,
  tableName,
  takesEffect,
  transact,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

export const SourceRecord = z.object({
  ...DescribedSource.shape,
  workspace_id: z.string(),
  url: z.string(),
  tool: z.string().optional(),
  timeout_ms: z.number(),
  sealed_secret: z.string(),
  sealed_headers: z.string(),
  created_at: z.number(),
});
export type SourceRecord = z.infer<typeof SourceRecord>;

/** For whom the secrets of a source are sealed. */
export const ownerOf = ({ workspace_id, name }: Pick<SourceRecord, 'workspace_id' | 'name'>) =>
  `source ${workspace_id} ${name}`;

const itemOf = (source: SourceRecord) => ({ ...keys.source(source.workspace_id, source.name), ...source });

/** The item of the workspace has the names of its sources, so that a run without any reads nothing to know that. */
const naming = (workspaceId: string, name: string, change: 'ADD' | 'DELETE') => ({
  TableName: tableName(),
  Key: keys.workspace(workspaceId),
  UpdateExpression: `${change} sources :name`,
  ExpressionAttributeValues: { ':name': new Set([name]) },
});

/** Saves a new source; says why not if its name is taken, or the workspace has as many as it may. */
export async function create(source: SourceRecord): Promise<'created' | 'exists' | 'full'> {
  const named = naming(source.workspace_id, source.name, 'ADD');
  try {
    await transact([
      {
        Put: {
          TableName: tableName(),
          Item: itemOf(source),
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      {
        Update: {
          ...named,
          ConditionExpression:
            'attribute_exists(pk) AND (attribute_not_exists(sources) OR size(sources) < :most)',
          ExpressionAttributeValues: { ...named.ExpressionAttributeValues, ':most': limits.sources_max },
        },
      },
    ]);
    return 'created';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.index === 0 ? 'exists' : 'full';
  }
}

/** Replaces a source; false if it is gone. */
export function replace(source: SourceRecord): Promise<boolean> {
  return takesEffect(
    table.send(
      new PutCommand({
        TableName: tableName(),
        Item: itemOf(source),
        ConditionExpression: 'created_at = :created_at',
        ExpressionAttributeValues: { ':created_at': source.created_at },
      }),
    ),
  );
}

/** Deletes a source; false if there is none. */
export function remove(workspaceId: string, name: string): Promise<boolean> {
  const Delete = {
    TableName: tableName(),
    Key: keys.source(workspaceId, name),
    ConditionExpression: 'attribute_exists(pk)',
  };
  return takesEffect(transact([{ Delete }, { Update: naming(workspaceId, name, 'DELETE') }]));
}

export async function get(workspaceId: string, name: string): Promise<SourceRecord | undefined> {
  const item = await getItem(keys.source(workspaceId, name));
  return item && SourceRecord.parse(item);
}

/** All sources of a workspace, by name. */
export async function list(workspaceId: string): Promise<SourceRecord[]> {
  return (await queryAll(keys.sources(workspaceId))).map((item) => SourceRecord.parse(item));
}
