// The vector index in Amazon S3 Vectors: one for all workspaces, each seeing its own records by a filter.
import {
  DeleteVectorsCommand,
  ListVectorsCommand,
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

/** An index over the vectors of all workspaces. It may lag behind the table, where its results are checked. */
export interface VectorIndex {
  /** Ids of records of the workspace, the nearest first, at most 100. */
  near(workspaceId: string, sought: Sought): Promise<string[]>;
  put(records: { entity: Entity; vector: number[] }[]): Promise<void>;
  remove(workspaceId: string, ids: string[]): Promise<void>;
  /**
   * Removes the vectors of a workspace from one page of the index, including those of deleted records; `next` is the
   * `after` of the next page.
   */
  erase(
    workspaceId: string,
    after: string | undefined,
  ): Promise<{ erased: number; next: string | undefined }>;
}

const client = new S3VectorsClient(clientSettings('s3vectors'));

/** The limit of S3 Vectors for one query. */
const NEAREST = 100;
const PUT_MAX = 500;

const keyOf = (workspaceId: string, id: string) => `${workspaceId}/${id}`;
/** A vector of zeros has no direction, so the index refuses it. */
const isZero = (vector: ArrayLike<number>) => Array.from(vector).every((x) => x === 0);

/** The index of this ARN. */
export function vectorIndex(indexArn: string): VectorIndex {
  return {
    async near(workspaceId, { query, types }) {
      if (isZero(query) || types?.length === 0) return [];
      const own = { workspace_id: { $eq: workspaceId } };
      const { vectors = [] } = await client.send(
        new QueryVectorsCommand({
          indexArn,
          topK: NEAREST,
          queryVector: { float32: Array.from(query) },
          filter: types ? { $and: [own, { type: { $in: types } }] } : own,
        }),
      );
      return vectors.flatMap(({ key }) => key?.split('/')[1] ?? []);
    },
    async put(records) {
      const vectors = records
        .filter(({ vector }) => !isZero(vector))
        .map(({ entity: { workspace_id, id, type }, vector }) => ({
          key: keyOf(workspace_id, id),
          data: { float32: vector },
          metadata: { workspace_id, type },
        }));
      for (const some of chunks(vectors, PUT_MAX))
        await client.send(new PutVectorsCommand({ indexArn, vectors: some }));
    },
    async remove(workspaceId, ids) {
      const all = ids.map((id) => keyOf(workspaceId, id));
      for (const some of chunks(all, PUT_MAX))
        await client.send(new DeleteVectorsCommand({ indexArn, keys: some }));
    },
    async erase(workspaceId, after) {
      const page = await client.send(new ListVectorsCommand({ indexArn, nextToken: after }));
      const keys = (page.vectors ?? []).flatMap(({ key }) => key ?? []);
      const own = keys.filter((key) => key.startsWith(keyOf(workspaceId, '')));
      for (const some of chunks(own, PUT_MAX))
        await client.send(new DeleteVectorsCommand({ indexArn, keys: some }));
      return { erased: own.length, next: page.nextToken };
    },
  };
}
