// The stored form of a workspace's records, for suites that check writes.
import type { Entity, Relationship } from '#contract/entities.ts';
import { type RecordState, recordPage, relationshipPage } from '#store/records/record-states.ts';

async function pagesOf<T>(
  page: (after: string | undefined) => Promise<{ items: T[]; next: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await page(after);
    all.push(...items);
    after = next;
  } while (after !== undefined);
  return all;
}

/** All records with their vectors, by id. */
export function allRecords(workspaceId: string): Promise<RecordState[]> {
  return pagesOf(async (after) => {
    const { records, next } = await recordPage(workspaceId, after);
    return { items: records, next };
  });
}

/** All records, by id. */
export async function allEntities(workspaceId: string): Promise<Entity[]> {
  return (await allRecords(workspaceId)).map(({ entity }) => entity);
}

/** All relationships, by id. */
export function allRelationships(workspaceId: string): Promise<Relationship[]> {
  return pagesOf(async (after) => {
    const { relationships, next } = await relationshipPage(workspaceId, after);
    return { items: relationships, next };
  });
}
