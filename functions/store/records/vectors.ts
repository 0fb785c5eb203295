// Vectors of records, each stored in its record, and the optional index (Amazon S3 Vectors) that finds those near a
// query.
import * as z from 'zod';
import type { Entity } from '#contract/entities.ts';
import { env, optionalEnv } from '#platform/env.ts';
import { quantize } from '#platform/quantize.ts';
import { getItems, tableName, takesEffect } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { transactRecords } from './changes.ts';
import type { Placed, Sought, VectorIndex } from './vector-index.ts';

interface RecordVector {
  id: string;
  vector: Int8Array;
}

/** The vector of a stored record, if it has one. */
export const StoredVector = z
  .instanceof(Uint8Array)
  .transform((bytes) => Int8Array.from(bytes))
  .optional();
const Stored = z.object({ sk: z.string(), vector: StoredVector });

/** A vector as an attribute of its record: a byte per dimension, a quarter of the cost of a separate item. */
export const vectorAttribute = (vector: number[]): Uint8Array => new Uint8Array(quantize(vector).buffer);

/** The index of a workspace, loaded on first use; undefined if the stage has no indexes. */
async function indexOf(workspaceId: string): Promise<VectorIndex | undefined> {
  const bucketArn = optionalEnv('VECTOR_BUCKET_ARN');
  if (bucketArn === undefined) return undefined;
  const { vectorIndex } = await import('./vector-index.ts');
  return vectorIndex(bucketArn, Number(env('VECTOR_DIMENSIONS')), workspaceId);
}

/** Ids of records that may be the nearest; undefined if the stage has no index of vectors. */
export async function candidates(workspaceId: string, sought: Sought): Promise<string[] | undefined> {
  return (await indexOf(workspaceId))?.near(sought);
}

/** The vectors that exist of these records, in no order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<RecordVector[]> {
  const items = await getItems(
    ids.map((id) => keys.entity(workspaceId, id)),
    'sk, vector',
  );
  return items.flatMap((item) => {
    const { sk: id, vector } = Stored.parse(item);
    return vector ? [{ id, vector }] : [];
  });
}

/** Puts saved records of a workspace into its index. Safe to repeat. */
export async function indexRecords(workspaceId: string, records: readonly Placed[]): Promise<void> {
  await (await indexOf(workspaceId))?.put(records);
}

/** Removes deleted records from the index. Safe to repeat. */
export async function unindexRecords(workspaceId: string, ids: string[]): Promise<void> {
  await (await indexOf(workspaceId))?.remove(ids);
}

/** Removes the index of a workspace; does nothing if it has none. */
export async function eraseVectors(workspaceId: string): Promise<void> {
  await (await indexOf(workspaceId))?.erase();
}

/**
 * Saves the vector of a record. False if the record has changed since it was read: that change saved its own vector.
 */
export async function replaceVector(entity: Entity, vector: number[]): Promise<boolean> {
  const write = {
    Update: {
      TableName: tableName(),
      Key: keys.entity(entity.workspace_id, entity.id),
      UpdateExpression: 'SET vector = :vector',
      ConditionExpression: 'updated_at = :seen',
      ExpressionAttributeValues: { ':vector': vectorAttribute(vector), ':seen': entity.updated_at },
    },
  };
  return takesEffect(transactRecords(entity.workspace_id, { records: [entity.id] }, [write]));
}
