// The vector indexes in Amazon S3 Vectors, one per workspace: a query is billed for all vectors of its index.
import {
  ConflictException,
  CreateIndexCommand,
  DeleteIndexCommand,
  DeleteVectorsCommand,
  NotFoundException,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
} from '@aws-sdk/client-s3vectors';
import type { Entity } from '#contract/entities.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { chunks } from '#platform/chunks.ts';

/** A search for records whose vectors are near `query`, of these types or (null) of any type. */
export interface Sought {
  query: ArrayLike<number>;
  types: string[] | null;
}

/** A record to find by its vector. */
export interface Placed {
  entity: Entity;
  vector: number[];
}

/** The index over the vectors of a workspace. It may lag behind the table, where its results are checked. */
export interface VectorIndex {
  /** Ids of records, the nearest first, at most 100. */
  near(sought: Sought): Promise<string[]>;
  /** Creates the index if there is none. */
  put(records: readonly Placed[]): Promise<void>;
  remove(ids: string[]): Promise<void>;
  /** Removes the index with everything in it. */
  erase(): Promise<void>;
}

const client = new S3VectorsClient(clientSettings('s3vectors'));

/** The limit of S3 Vectors for one query. */
const NEAREST = 100;
const PUT_MAX = 500;

/** A vector of zeros has no direction, so the index refuses it. */
const isZero = (vector: ArrayLike<number>) => Array.from(vector).every((x) => x === 0);

/** The index of a workspace, in the bucket of this ARN, for vectors of this many dimensions. */
export function vectorIndex(bucketArn: string, dimension: number, workspaceId: string): VectorIndex {
  const indexArn = `${bucketArn}/index/${workspaceId}`;

  async function create(): Promise<void> {
    const index = { vectorBucketArn: bucketArn, indexName: workspaceId, dimension };
    try {
      await client.send(new CreateIndexCommand({ ...index, dataType: 'float32', distanceMetric: 'cosine' }));
    } catch (error) {
      // Another writer was first.
      if (!(error instanceof ConflictException)) throw error;
    }
  }

  return {
    async near({ query, types }) {
      if (isZero(query) || types?.length === 0) return [];
      const nearest = client.send(
        new QueryVectorsCommand({
          indexArn,
          topK: NEAREST,
          queryVector: { float32: Array.from(query) },
          ...(types && { filter: { type: { $in: types } } }),
        }),
      );
      const found = await unlessMissing(nearest);
      return (found?.vectors ?? []).flatMap(({ key }) => key ?? []);
    },
    async put(records) {
      const vectors = records
        .filter(({ vector }) => !isZero(vector))
        .map(({ entity: { id, type }, vector }) => ({
          key: id,
          data: { float32: vector },
          metadata: { type },
        }));
      for (const some of chunks(vectors, PUT_MAX)) {
        const write = () => client.send(new PutVectorsCommand({ indexArn, vectors: some }));
        if (await unlessMissing(write())) continue;
        await create();
        await write();
      }
    },
    async remove(ids) {
      for (const keys of chunks(ids, PUT_MAX))
        await unlessMissing(client.send(new DeleteVectorsCommand({ indexArn, keys })));
    },
    async erase() {
      await unlessMissing(client.send(new DeleteIndexCommand({ indexArn })));
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
