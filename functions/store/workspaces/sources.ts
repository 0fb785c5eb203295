// Live sources of a workspace: how each is called, with its secrets encrypted.
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { DescribedSource } from '#contract/live-sources.ts';
import { SentSchema } from '#contract/sent-schema.ts';
import {
  ConditionFailed,
  getItem,
  queryAll,
  tableName,
  takesEffect,
  transact,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const common = {
  ...DescribedSource.shape,
  workspace_id: z.string(),
  sealed_secret: z.string(),
  sealed_headers: z.string(),
  created_at: z.number(),
};

export const SourceRecord = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.enum(['http', 'mcp']),
    url: z.string(),
    tool: z.string().optional(),
    timeout_ms: z.number(),
  }),
  z.object({
    ...common,
    kind: z.literal('job'),
    url: z.string(),
    timeout_seconds: z.number(),
    heartbeat_seconds: z.number().optional(),
    attempts: z.number(),
  }),
  z.object({
    ...common,
    kind: z.literal('person'),
    title: z.string(),
    instructions: z.string(),
    schema: SentSchema,
    notify_url: z.string().optional(),
    timeout_seconds: z.number(),
  }),
]);
export type SourceRecord = z.infer<typeof SourceRecord>;
/** A source that is read page by page. */
export type PagedSource = Extract<SourceRecord, { kind: 'http' | 'mcp' }>;
/** A source that is asked by a job. */
export type JobSource = Exclude<SourceRecord, PagedSource>;

export const isPaged = (source: SourceRecord): source is PagedSource =>
  source.kind === 'http' || source.kind === 'mcp';

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

/**
 * Saves a new source, with `effects` in the same transaction. Says why not if its name is taken, or if the workspace
 * has as many as it may.
 */
export async function create(
  source: SourceRecord,
  effects: Write[] = [],
): Promise<'created' | 'exists' | 'full'> {
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
      ...effects,
    ]);
    return 'created';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.index === 0 ? 'exists' : 'full';
  }
}

/** Replaces a source; false if it is gone. */
export function replace(source: SourceRecord, effects: Write[] = []): Promise<boolean> {
  const Put = {
    TableName: tableName(),
    Item: itemOf(source),
    ConditionExpression: 'created_at = :created_at',
    ExpressionAttributeValues: { ':created_at': source.created_at },
  };
  return takesEffect(transact([{ Put }, ...effects]));
}

/** Deletes a source; false if there is none. */
export function remove(workspaceId: string, name: string, effects: Write[] = []): Promise<boolean> {
  const Delete = {
    TableName: tableName(),
    Key: keys.source(workspaceId, name),
    ConditionExpression: 'attribute_exists(pk)',
  };
  return takesEffect(transact([{ Delete }, { Update: naming(workspaceId, name, 'DELETE') }, ...effects]));
}

export async function get(workspaceId: string, name: string): Promise<SourceRecord | undefined> {
  const item = await getItem(keys.source(workspaceId, name));
  return item && SourceRecord.parse(item);
}

/** All sources of a workspace, by name. */
export async function list(workspaceId: string): Promise<SourceRecord[]> {
  return (await queryAll(keys.sources(workspaceId))).map((item) => SourceRecord.parse(item));
}
