// The vector indexes in Amazon S3 Vectors, one per workspace and embedding: a query is billed for all vectors of its
// index.
import {
  ConflictException,
  CreateIndexCommand,
  DeleteIndexCommand,
  DeleteVectorsCommand,
  ListIndexesCommand,
  NotFoundException,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
} from '@aws-sdk/client-s3vectors';
import { offlineVectorOf } from '#contract/embeddings.ts';
import type { Entity } from '#contract/entities.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { chunks } from '#platform/chunks.ts';
import { sha256Hex } from '#platform/crypto.ts';

/** A search for records whose vectors of this embedding are near `query`, of these types or (null) of any type. */
export interface Sought {
  query: ArrayLike<number>;
  vector_of: string;
  types: string[] | null;
}

/** A record to find by its vector. */
interface Placed {
  entity: Entity;
  vector: number[];
  vector_of?: string | undefined;
}

/** A workspace's indexes, one per embedding. They may lag behind the table, where their results are checked. */
export interface VectorIndexes {
  /** Ids of records, the nearest first, at most 100. */
  near(sought: Sought): Promise<string[]>;
  /** Creates an index if there is none. */
  put(records: readonly Placed[]): Promise<void>;
  remove(ids: string[]): Promise<void>;
  /** Removes the indexes with everything in them, but for that of one embedding. */
  erase(butOf?: string): Promise<void>;
}

const client = new S3VectorsClient(clientSettings('s3vectors'));

/** The limit of S3 Vectors for one query. */
const NEAREST = 100;
const PUT_MAX = 500;

/** A vector of zeros has no direction, so the index refuses it. */
const isZero = (vector: ArrayLike<number>) => Array.from(vector).every((x) => x === 0);

/** The offline embedding has the index that has no other name than its workspace. */
const indexName = (workspaceId: string, vectorOf: string) =>
  vectorOf.startsWith('offline/') ? workspaceId : `${workspaceId}-${sha256Hex(vectorOf).slice(0, 16)}`;

/** The indexes of a workspace, in the bucket of this ARN. */
export function vectorIndexes(bucketArn: string, workspaceId: string): VectorIndexes {
  const arnOf = (name: string) => `${bucketArn}/index/${name}`;

  /** The names of all indexes that the workspace has. */
  async function names(): Promise<string[]> {
    const found: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.send(
        new ListIndexesCommand({ vectorBucketArn: bucketArn, prefix: workspaceId, nextToken }),
      );
      found.push(...(page.indexes ?? []).flatMap((one) => one.indexName ?? []));
      ({ nextToken } = page);
    } while (nextToken);
    return found;
  }

  async function create(name: string, dimension: number): Promise<void> {
    const index = { vectorBucketArn: bucketArn, indexName: name, dimension };
    try {
      await client.send(new CreateIndexCommand({ ...index, dataType: 'float32', distanceMetric: 'cosine' }));
    } catch (error) {
      // Another writer was first.
      if (!(error instanceof ConflictException)) throw error;
    }
  }

  async function putInto(vectorOf: string, records: readonly Placed[]): Promise<void> {
    const name = indexName(workspaceId, vectorOf);
    const vectors = records.map(({ entity: { id, type }, vector }) => ({
      key: id,
      data: { float32: vector },
      metadata: { type },
    }));
    for (const some of chunks(vectors, PUT_MAX)) {
      const write = () => client.send(new PutVectorsCommand({ indexArn: arnOf(name), vectors: some }));
      if (await unlessMissing(write())) continue;
      await create(name, records[0]?.vector.length ?? 0);
      await write();
    }
  }

  return {
    async near({ query, vector_of, types }) {
      if (isZero(query) || types?.length === 0) return [];
      const nearest = client.send(
        new QueryVectorsCommand({
          indexArn: arnOf(indexName(workspaceId, vector_of)),
          topK: NEAREST,
          queryVector: { float32: Array.from(query) },
          ...(types && { filter: { type: { $in: types } } }),
        }),
      );
      const found = await unlessMissing(nearest);
      return (found?.vectors ?? []).flatMap(({ key }) => key ?? []);
    },
    async put(records) {
      const used = records.filter(({ vector }) => !isZero(vector));
      const byEmbedding = Map.groupBy(
        used,
        ({ vector, vector_of }) => vector_of ?? offlineVectorOf(vector.length),
      );
      for (const [vectorOf, its] of byEmbedding) await putInto(vectorOf, its);
    },
    async remove(ids) {
      for (const name of await names())
        for (const some of chunks(ids, PUT_MAX))
          await unlessMissing(client.send(new DeleteVectorsCommand({ indexArn: arnOf(name), keys: some })));
    },
    async erase(butOf) {
      const kept = butOf === undefined ? undefined : indexName(workspaceId, butOf);
      for (const name of await names())
        if (name !== kept)
          await unlessMissing(client.send(new DeleteIndexCommand({ indexArn: arnOf(name) })));
    },
  };
}

/** The reply; undefined if the workspace has no index yet. */
async function unlessMissing<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}
