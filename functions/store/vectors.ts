// Vectors of records behind one port: exact from the table, or with an index (Amazon S3 Vectors) that names the candidates.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Entity } from '#contract/entities.ts';
import { optionalEnv } from '#platform/env.ts';
import { vectorWrite } from './entities.ts';
import { ConditionFailed, getItems, type Item, queryAll, table, tableName, transact } from './table.ts';
import { keys } from './table-keys.ts';

/** What is looked for: records whose vectors are near `query`, of these types or (null) of all. */
export interface Sought {
  query: ArrayLike<number>;
  types: string[] | null;
}

export interface RecordVector {
  id: string;
  vector: Float32Array;
}

/** An index over the vectors of all workspaces. It may lag behind the table; what it names is looked up there. */
export interface VectorIndex {
  /** Ids of records of the workspace that are near, the nearest first; not all of them. */
  near(workspaceId: string, sought: Sought): Promise<string[]>;
  put(records: { entity: Entity; vector: number[] }[]): Promise<void>;
  remove(workspaceId: string, ids: string[]): Promise<void>;
}

const Stored = z.object({ sk: z.string(), vector: z.instanceof(Uint8Array) });

/** The index of the stage; undefined where the table alone is searched. Nothing of it is loaded before it is needed. */
async function indexOf(): Promise<VectorIndex | undefined> {
  const arn = optionalEnv('VECTOR_INDEX_ARN');
  return arn === undefined ? undefined : (await import('./vector-index.ts')).vectorIndex(arn);
}

/** Vectors of the records that may be the nearest: every record's, or those that the index names. */
export async function candidates(workspaceId: string, sought: Sought): Promise<RecordVector[]> {
  const index = await indexOf();
  if (!index) return (await queryAll(keys.vectors(workspaceId))).map(toVector);
  const ids = await index.near(workspaceId, sought);
  return (await getItems(ids.map((id) => keys.vector(workspaceId, id)))).map(toVector);
}

function toVector(item: Item): RecordVector {
  const { sk, vector } = Stored.parse(item);
  // A copy: the bytes of an item need not be aligned to four.
  return { id: sk, vector: new Float32Array(Uint8Array.from(vector).buffer) };
}

/** Tells the index of records that have been saved; repeating it is harmless. */
export async function indexRecords(records: { entity: Entity; vector: number[] }[]): Promise<void> {
  await (await indexOf())?.put(records);
}

/** Tells the index of records that are gone; repeating it is harmless. */
export async function unindexRecords(workspaceId: string, ids: string[]): Promise<void> {
  await (await indexOf())?.remove(workspaceId, ids);
}

/** Records of a workspace in the order of their ids, from after `after`. */
export async function recordsAfter(
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<Entity[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': keys.entities(workspaceId), ':after': after ?? ' ' },
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => z.object({ ...Entity.shape }).parse(item));
}

/** Saves the vector of a record unless the record has changed since it was read, which wrote a vector of its own. */
export async function replaceVector(entity: Entity, vector: number[]): Promise<boolean> {
  const unchanged = {
    ConditionCheck: {
      TableName: tableName(),
      Key: keys.entity(entity.workspace_id, entity.id),
      ConditionExpression: 'updated_at = :seen',
      ExpressionAttributeValues: { ':seen': entity.updated_at },
    },
  };
  try {
    await transact([unchanged, vectorWrite(entity, vector)]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
