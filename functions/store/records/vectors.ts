// Vectors of records, each stored in its record, and the optional index (Amazon S3 Vectors) that finds those near a
// query.
import * as z from 'zod';
import { offlineVectorOf } from '#contract/embeddings.ts';
import type { Entity } from '#contract/entities.ts';
import { optionalEnv } from '#platform/env.ts';
import { quantize } from '#platform/quantize.ts';
import { getItems, type Item, tableName, takesEffect } from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';
import { transactRecords } from './changes.ts';
import type { Sought, VectorIndexes } from './vector-index.ts';

/** A vector as its embedding made it. */
export interface RecordVector {
  vector: number[];
  /** Which embedding it was; absent: the offline one. */
  vector_of?: string | undefined;
}

/** A record and its vector. */
export interface EmbeddedRecord extends RecordVector {
  entity: Entity;
}

/** The attributes of a stored record that are its vector, if it has one. */
export const StoredVector = z.object({
  vector: z
    .instanceof(Uint8Array)
    .transform((bytes) => Int8Array.from(bytes))
    .optional(),
  vector_of: z.string().optional(),
});
const Stored = z.object({ sk: z.string(), ...StoredVector.shape });
type StoredOne = z.infer<typeof Stored>;

/** A vector as an attribute of its record: a byte per dimension, a quarter of the cost of a separate item. */
const vectorAttribute = (vector: number[]): Uint8Array => new Uint8Array(quantize(vector).buffer);

/**
 * What an item of a record has for its vector. Without one it is due: the sweep makes it (rules.md: vectors 2).
 */
export function vectorAttributes({ id }: Entity, made: RecordVector | undefined): Item {
  if (!made) return { due_pk: duePartition(due.vectors, id), due_at: Date.now() };
  const { vector, vector_of } = made;
  return { vector: vectorAttribute(vector), ...(vector_of !== undefined && { vector_of }) };
}

/** The indexes of a workspace, loaded on first use; undefined if the stage has none. */
async function indexesOf(workspaceId: string): Promise<VectorIndexes | undefined> {
  const bucketArn = optionalEnv('VECTOR_BUCKET_ARN');
  if (bucketArn === undefined) return undefined;
  const { vectorIndexes } = await import('./vector-index.ts');
  return vectorIndexes(bucketArn, workspaceId);
}

/** Ids of records that may be the nearest; undefined if the stage has no index of vectors. */
export async function candidates(workspaceId: string, sought: Sought): Promise<string[] | undefined> {
  return (await indexesOf(workspaceId))?.near(sought);
}

/** The vectors of one embedding that exist of these records, in no order. */
export async function getMany(
  workspaceId: string,
  ids: string[],
  vectorOf: string,
): Promise<{ id: string; vector: Int8Array }[]> {
  return (await storedOf(workspaceId, ids)).flatMap(({ sk: id, vector, vector_of }) =>
    vector && (vector_of ?? offlineVectorOf(vector.length)) === vectorOf ? [{ id, vector }] : [],
  );
}

async function storedOf(workspaceId: string, ids: string[]): Promise<StoredOne[]> {
  const items = await getItems(
    ids.map((id) => keys.entity(workspaceId, id)),
    'sk, vector, vector_of',
  );
  return items.map((item) => Stored.parse(item));
}

/** Puts records of a workspace into its index. Safe to repeat. */
export async function indexRecords(workspaceId: string, records: readonly EmbeddedRecord[]): Promise<void> {
  if (records.length > 0) await (await indexesOf(workspaceId))?.put(records);
}

/** Removes deleted records from the indexes. Safe to repeat. */
export async function unindexRecords(workspaceId: string, ids: string[]): Promise<void> {
  await (await indexesOf(workspaceId))?.remove(ids);
}

/** Removes the indexes of a workspace, but for that of one embedding; does nothing if it has none. */
export async function eraseVectors(workspaceId: string, butOf?: string): Promise<void> {
  await (await indexesOf(workspaceId))?.erase(butOf);
}

const IN_PARALLEL = 10;

/**
 * Saves vectors of records that were read before. A record that has changed since keeps what that change saved. The
 * index comes first: a record whose vector is in the table alone is not made again. Returns how many were saved.
 */
export async function saveVectors(workspaceId: string, records: readonly EmbeddedRecord[]): Promise<number> {
  await indexRecords(workspaceId, records);
  const changed: EmbeddedRecord[] = [];
  for (let i = 0; i < records.length; i += IN_PARALLEL)
    await Promise.all(
      records.slice(i, i + IN_PARALLEL).map(async (one) => {
        if (!(await replaceVector(one))) changed.push(one);
      }),
    );
  await indexAsStored(workspaceId, changed);
  return records.length - changed.length;
}

/** The index has an old vector of records that changed in the meantime: it gets the one of the table. */
async function indexAsStored(workspaceId: string, records: readonly EmbeddedRecord[]): Promise<void> {
  if (records.length === 0 || !(await indexesOf(workspaceId))) return;
  const stored = new Map(
    (
      await storedOf(
        workspaceId,
        records.map(({ entity }) => entity.id),
      )
    ).map((one) => [one.sk, one]),
  );
  const gone = records.filter(({ entity }) => !stored.has(entity.id)).map(({ entity }) => entity.id);
  if (gone.length > 0) await unindexRecords(workspaceId, gone);
  await indexRecords(
    workspaceId,
    records.flatMap(({ entity }) => {
      const { vector, vector_of } = stored.get(entity.id) ?? {};
      return vector ? [{ entity, vector: Array.from(vector), vector_of }] : [];
    }),
  );
}

/** False if the record has changed since it was read: that change saved its own vector. */
async function replaceVector({ entity, vector, vector_of }: EmbeddedRecord): Promise<boolean> {
  const isOffline = vector_of === undefined;
  const write = {
    Update: {
      TableName: tableName(),
      Key: keys.entity(entity.workspace_id, entity.id),
      UpdateExpression: `SET vector = :vector${isOffline ? '' : ', vector_of = :of'} REMOVE due_pk, due_at, repair_delay_ms${isOffline ? ', vector_of' : ''}`,
      ConditionExpression: 'updated_at = :seen',
      ExpressionAttributeValues: {
        ':vector': vectorAttribute(vector),
        ':seen': entity.updated_at,
        ...(!isOffline && { ':of': vector_of }),
      },
    },
  };
  return takesEffect(transactRecords(entity.workspace_id, { records: [entity.id] }, [write]));
}
