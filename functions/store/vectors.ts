// Vectors of records, and the index (Amazon S3 Vectors) that names those near a query, where the stage has one.
import * as z from 'zod';
import type { Entity } from '#contract/entities.ts';
import { optionalEnv } from '#platform/env.ts';
import { transactRecords } from './changes.ts';
import { ConditionFailed, getItems, type Item, tableName, type Write } from './table.ts';
import { keys } from './table-keys.ts';
import type { Sought, VectorIndex } from './vector-index.ts';

interface RecordVector {
  id: string;
  vector: Float32Array;
}

/** Write that saves the vector of a record. */
export function vectorWrite({ workspace_id, id }: Entity, vector: number[]): Write {
  const bytes = new Uint8Array(Float32Array.from(vector).buffer);
  return { Put: { TableName: tableName(), Item: { ...keys.vector(workspace_id, id), vector: bytes } } };
}

const Stored = z.object({ sk: z.string(), vector: z.instanceof(Uint8Array) });

/** The index of the stage, loaded when needed; undefined where there is none. */
async function indexOf(): Promise<VectorIndex | undefined> {
  const arn = optionalEnv('VECTOR_INDEX_ARN');
  return arn === undefined ? undefined : (await import('./vector-index.ts')).vectorIndex(arn);
}

/** Ids of records that may be the nearest; undefined where the stage has no index of vectors. */
export async function candidates(workspaceId: string, sought: Sought): Promise<string[] | undefined> {
  return (await indexOf())?.near(workspaceId, sought);
}

/** The vectors that exist of these records, in no order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<RecordVector[]> {
  return (await getItems(ids.map((id) => keys.vector(workspaceId, id)))).map(toVector);
}

function toVector(item: Item): RecordVector {
  const { sk, vector } = Stored.parse(item);
  // A copy, because the bytes of an item may not be aligned to four.
  return { id: sk, vector: new Float32Array(Uint8Array.from(vector).buffer) };
}

/** Puts saved records into the index. Safe to repeat. */
export async function indexRecords(records: { entity: Entity; vector: number[] }[]): Promise<void> {
  await (await indexOf())?.put(records);
}

/** Removes deleted records from the index. Safe to repeat. */
export async function unindexRecords(workspaceId: string, ids: string[]): Promise<void> {
  await (await indexOf())?.remove(workspaceId, ids);
}

/** Saves the vector of a record. False when the record has changed since it was read: that change saved a vector of its own. */
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
    await transactRecords(entity.workspace_id, { records: [entity.id] }, [
      unchanged,
      vectorWrite(entity, vector),
    ]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
