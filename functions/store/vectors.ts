// Vectors of records behind one port: exact from the table, or with an index (Amazon S3 Vectors) that names the candidates.
import * as z from 'zod';
import type { Entity } from '#contract/entities.ts';
import { optionalEnv } from '#platform/env.ts';
import { transactRecords } from './changes.ts';
import { ConditionFailed, getItems, type Item, queryAll, tableName, type Write } from './table.ts';
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
