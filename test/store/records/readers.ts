// Readers of a workspace's records, each with its own index files, and the writes that they must see.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import type { Entity, Relationship } from '#contract/entities.ts';
import { type Compaction, compactRecords } from '#domain/records/compact-index.ts';
import { currentIndex } from '#domain/records/current-index.ts';
import { newId } from '#platform/ids.ts';
import { quantize } from '#platform/quantize.ts';
import { type FileName, fileNames } from '#record-index/files.ts';
import { onIndex } from '#record-index/record-index.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { table } from '#store/table/table.ts';
import { writeImport } from '../../../lib/local/shared-thread/shared-index-files.ts';
import { allEntities, allRelationships } from '../../support/records-in-table.ts';

export const folder = mkdtempSync(join(tmpdir(), 'followers-'));
afterAll(() => rmSync(folder, { recursive: true }));

export const BUDGET_MS = 30_000;
/** The workspace of the test that runs. */
export let workspace = '';

/** Begins with a workspace that has no records yet. */
export function newWorkspace(): void {
  workspace = newId();
}

/** One of several processes, each with its own files. */
export async function readAs<T>(
  reader: string,
  ask: (file: string) => Promise<T>,
  { budgetMs = BUDGET_MS, files = [] }: { budgetMs?: number; files?: readonly FileName[] } = {},
): Promise<T> {
  process.env.RECORD_INDEX_DIR = join(folder, reader);
  return ask((await currentIndex(workspace, budgetMs, {}, files)).file);
}

export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
let clock = 1;

export function entityOf(n: number, name: string): Entity {
  clock += 1;
  const fields = { n, city: n % 2 ? 'Oslo' : 'Rome' };
  return {
    id: idOf(n),
    workspace_id: workspace,
    type: 'company',
    name,
    fields,
    created_at: 1,
    updated_at: clock,
  };
}

function relationshipOf(n: number, from: number, to: number): Relationship {
  clock += 1;
  const ends = { from_id: idOf(from), to_id: idOf(to) };
  return {
    id: idOf(1000 + n),
    workspace_id: workspace,
    type: 'owns',
    metadata: {},
    ...ends,
    created_at: 1,
    updated_at: clock,
  };
}

export async function put(n: number, name: string) {
  const before = await entities.get(workspace, idOf(n));
  const entity = entityOf(n, name);
  const writes = entities.entityWrites(entity, { vector: [n, 1] }, before);
  const applied = [await transactRecords(workspace, { records: [idOf(n)] }, writes)];
  return { changes: { records: [{ entity, vector: quantize([n, 1]) }] }, applied };
}

/** Writes 2,000 records, in transactions of `size`. */
export async function putThousands(size: number): Promise<void> {
  for (let from = 0; from < 2000; from += size) {
    const some = Array.from({ length: size }, (_, i) => entityOf(from + i, `Name ${from + i}`));
    await putAll(some);
  }
}

/** Writes records, whether they are there or not. */
export async function putAll(some: Entity[]): Promise<void> {
  const ids = some.map(({ id }) => id);
  const before = new Map((await entities.getMany(workspace, ids)).map((entity) => [entity.id, entity]));
  const writes = some.flatMap((entity) =>
    entities.entityWrites(entity, { vector: [1, 2] }, before.get(entity.id)),
  );
  await transactRecords(workspace, { records: ids }, writes);
}

/** Compacts as a process with files of its own. */
export function compactElsewhere(compactor = 'compactor'): Promise<Compaction> {
  process.env.RECORD_INDEX_DIR = join(folder, compactor);
  return compactRecords(workspace, Date.now());
}

export async function remove(n: number): Promise<void> {
  const before = await entities.get(workspace, idOf(n));
  if (before) await transactRecords(workspace, { records: [before.id] }, entities.entityDeletes(before));
}

export async function link(n: number, from: number, to: number): Promise<void> {
  const before = await relationships.get(workspace, idOf(1000 + n));
  const writes = relationships.relationshipWrites(relationshipOf(n, from, to), before);
  await transactRecords(workspace, { relationships: [idOf(1000 + n)] }, writes);
}

/** What a reader finds: every record by id and name, and every relationship. */
export async function seenBy(reader: string) {
  const ask = async (file: string) => {
    const { hits, matched } = await onIndex(file, 'find', {
      types: null,
      sort: [{ field: 'name' }],
      limit: 1000,
    });
    const near = await onIndex(file, 'nearest', {
      types: null,
      vector: [1, 1],
      limit: 1000,
      min_score: -1,
    });
    const { links } = await onIndex(file, 'linksOf', { ids: hits.map(({ id }) => id), limit: 1000 });
    return {
      records: hits.map(({ id, keys }) => `${id} ${keys[0]}`).sort(),
      matched,
      vectors: near.map(({ id }) => id).sort(),
      links: links.map(({ id, from_id, to_id }) => `${id} ${from_id} ${to_id}`).sort(),
    };
  };
  return readAs(reader, ask, { files: fileNames });
}

export async function inTable() {
  const all = await allEntities(workspace);
  const known = new Set(all.map(({ id }) => id));
  const linked = (await allRelationships(workspace)).filter(
    ({ from_id, to_id }) => known.has(from_id) || known.has(to_id),
  );
  return {
    records: all.map(({ id, name }) => `${id} ${name}`).sort(),
    matched: all.length,
    vectors: all.map(({ id }) => id).sort(),
    links: linked.map(({ id, from_id, to_id }) => `${id} ${from_id} ${to_id}`).sort(),
  };
}

/**
 * Lets the n-th call to the table from now on fail: before it is carried out, or after, when only its reply is lost.
 */
export function failAtCall(n: number, when: 'before' | 'after'): () => void {
  const send = table.send.bind(table);
  let calls = 0;
  const spy = vi.spyOn(table, 'send').mockImplementation(async (...args: Parameters<typeof send>) => {
    calls += 1;
    if (calls === n && when === 'before') throw new Error('the process died');
    const reply = await send(...args);
    if (calls === n) throw new Error('the process died');
    return reply;
  });
  return () => spy.mockRestore();
}

/** Writes a record and makes a reader's index include it; `meanwhile` runs between the two. */
export async function putAlong(
  reader: string,
  [n, name]: [number, string],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const file = { RECORD_INDEX_DIR: join(folder, reader) };
  Object.assign(process.env, file);
  await writeImport(workspace, async () => {
    const written = await put(n, name);
    await meanwhile();
    Object.assign(process.env, file);
    return written;
  });
}
