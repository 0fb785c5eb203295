// A snapshot of an index on disk: restored to its core, and its other parts as they are added when needed. Each index
// follows a log, as readers follow the table's.
import { readFileSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { type IndexChanges, noChanges } from '#record-index/apply.ts';
import { pathOf } from '#record-index/files.ts';
import { IndexIncomplete } from '#record-index/index-errors.ts';
import { type OperationName, operations } from '#record-index/index-operations.ts';
import { requireParts } from '#record-index/needs.ts';
import { blockOf, bodiesIn, ridIn } from '#record-index/record-bodies.ts';
import { attachFiles, openFile } from '#record-index/schema.ts';
import type { ObjectName } from '#record-index/snapshot-objects.ts';

type Operations = typeof operations;

/** The operations, each of which says what the index lacks before it begins: as the thread performs them. */
export const checked = Object.fromEntries(
  Object.entries(operations).map(([name, act]) => [
    name,
    (database: DatabaseSync, input: unknown, ...more: unknown[]) => {
      requireParts(database, { file: '', operation: name as OperationName, input });
      return Reflect.apply(act, undefined, [database, input, ...more]);
    },
  ]),
) as Operations;

/** What was written, in its order, and the present state of it. */
export interface Log {
  write(changes: IndexChanges): void;
  /** Brings an index up to date and makes its files level. */
  follow(index: DatabaseSync): void;
}

/** A log without entries. */
export function newLog(): Log {
  const records = new Map<string, IndexChanges['records'][number] | undefined>();
  const links = new Map<string, IndexChanges['relationships'][number] | undefined>();
  const entries: { records: string[]; links: string[] }[] = [];
  const nameOf = (n: number) => `change ${n}`;
  return {
    write(changes) {
      for (const one of changes.records) records.set(one.entity.id, one);
      for (const id of changes.gone_records) records.set(id, undefined);
      for (const one of changes.relationships) links.set(one.id, one);
      for (const id of changes.gone_relationships) links.set(id, undefined);
      entries.push({
        records: [...changes.records.map(({ entity }) => entity.id), ...changes.gone_records],
        links: [...changes.relationships.map(({ id }) => id), ...changes.gone_relationships],
      });
    },
    follow(index) {
      for (const name of operations.unapplied(
        index,
        entries.map((_, n) => nameOf(n)),
      )) {
        const entry = entries[Number(name.slice(nameOf(0).length - 1))];
        const stateOf = <T>(ids: string[], all: Map<string, T | undefined>) => ({
          present: ids.flatMap((id) => all.get(id) ?? []),
          gone: ids.filter((id) => all.get(id) === undefined),
        });
        const [own, linked] = [stateOf(entry?.records ?? [], records), stateOf(entry?.links ?? [], links)];
        const changes = {
          ...{ records: own.present, gone_records: own.gone },
          ...{ relationships: linked.present, gone_relationships: linked.gone },
        };
        const { revision } = operations.state(index);
        checked.update(index, { revision, changes, applied: [name] });
      }
      const { revision, is_level } = operations.state(index);
      if (!is_level) checked.update(index, { revision, changes: noChanges, applied: [], cursor_ms: 0 });
    },
  };
}

/** A restored index, the path of its core, and all objects of its snapshot. */
export interface Restored {
  index: DatabaseSync;
  path: string;
  objects: (ObjectName & { packed: Buffer })[];
  log: Log;
}

/** Packs an index, and restores what every question needs to a file at `path`. */
export function restoredFrom(whole: DatabaseSync, path: string, log: Log = newLog()): Restored {
  const target = `${path}.objects`;
  const packed = checked.pack(whole, { path: `${path}.copy`, target, where: 'a place' });
  const all = readFileSync(target);
  let at = 0;
  const objects = packed.map(({ part, number, bytes }) => {
    at += bytes;
    return { part, number, packed: all.subarray(at - bytes, at) };
  });
  const restored = { path, objects, log };
  writeFileSync(path, bytesOf(restored, 'core'));
  return { ...restored, index: openFile(path) };
}

/** A file of the snapshot. */
const bytesOf = ({ objects }: Pick<Restored, 'objects'>, wanted: ObjectName['part']): Buffer =>
  Buffer.concat(
    objects.filter(({ part }) => part === wanted).map(({ packed }) => zstdDecompressSync(packed)),
  );

function blockIn({ objects }: Restored, wanted: number): string {
  const block = objects.find(({ part, number }) => part === 'bodies' && number === wanted);
  if (!block) throw new Error(`there is no block ${wanted}`);
  return zstdDecompressSync(block.packed).toString();
}

/** Does work on a restored index, adding the parts that it needs; returns its result and these parts' names. */
export function addingParts<T>(
  restored: Restored,
  work: (index: DatabaseSync) => T,
): { result: T; added: string[] } {
  const { index, path, log } = restored;
  const added: string[] = [];
  for (;;)
    try {
      const result = work(index);
      added.push(...fillBodies(restored, result));
      return { result, added };
    } catch (error) {
      if (!(error instanceof IndexIncomplete)) throw error;
      const { files, blocks } = error.absent;
      for (const name of files) writeFileSync(pathOf(path, name), bytesOf(restored, name));
      attachFiles(index);
      for (const number of blocks) operations.addBlock(index, blockIn(restored, number));
      added.push(...files, ...blocks.map((number) => `bodies-${number}`));
      if (files.length > 0) added.push(...addingParts(restored, log.follow).added);
    }
}

/** Fills in the bodies that are still in the snapshot; returns the names of their blocks. */
function fillBodies(restored: Restored, result: unknown): string[] {
  const found = Array.isArray(result) ? result : (Object(result).hits ?? [result]);
  const hits: { body: string }[] = found.filter((one: unknown) => typeof Object(one).body === 'string');
  const added = new Set<string>();
  for (const hit of hits) {
    const rid = ridIn(hit.body);
    if (rid === undefined) continue;
    const block = blockIn(restored, blockOf(rid));
    operations.addBlock(restored.index, block);
    hit.body = bodiesIn(block).get(rid) ?? hit.body;
    added.add(`bodies-${blockOf(rid)}`);
  }
  return [...added];
}
