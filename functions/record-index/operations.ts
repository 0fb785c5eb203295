// The operations on the file of a workspace, by name; the thread that owns the files performs them.
import type { DatabaseSync } from 'node:sqlite';
import type { EntityRef } from '#contract/entities.ts';
import type {
  FieldQuery,
  FindQuery,
  GroupQuery,
  NameQuery,
  NearestQuery,
  RecordName,
  RelationshipQuery,
  Selection,
} from '#contract/record-queries.ts';
import { lacksAny, requireAll, requireParts } from './absent.ts';
import { applyChanges, type IndexChanges } from './apply.ts';
import { checksumOf } from './checksum.ts';
import { describedTypes, findFields } from './described-types.ts';
import { countRecords, findRecords, nearestRecords, vectorCounts } from './find.ts';
import { groupRecords } from './groups.ts';
import { findLinks, linksOf, recordWithLinks } from './links.ts';
import { mentionedRecords, mentionedValues } from './mentions.ts';
import { holdersOf, identifiedRecords, recordsNamed } from './names.ts';
import { outlineOf, typesOf } from './outline.ts';
import { recreateTables } from './schema.ts';
import { addObject, type FetchedObject, type Packed, packSnapshot } from './snapshot-objects.ts';
import { statementOn } from './statements.ts';
import { snapshot, transaction } from './transaction.ts';

/**
 * The progress of an unfinished build: it has everything of the kinds before `kind`, and all ids of `kind` up to
 * `after`.
 */
export interface BuildProgress {
  /** The incarnation that is being built. */
  incarnation: string;
  /** Epoch ms; changes since then follow from the log. */
  started_ms: number;
  kind: 'records' | 'relationships';
  after?: string | undefined;
}

/** The state of an index. */
export interface IndexState {
  /** Identifies the table's records that the file was built from; undefined while it is empty. */
  incarnation: string | undefined;
  /** Epoch ms: every change stamped before it is in the file. */
  cursor_ms: number;
  /** Grows with every write to the file, by any process. */
  revision: number;
  /** The progress of an unfinished build. */
  progress: BuildProgress | undefined;
}

/**
 * One transaction. Condition: since `revision` was read, no other update has changed the records and relationships of
 * `changes`; for an update of the state of the whole index, no other update has changed anything.
 */
export interface Update {
  revision: number;
  changes: IndexChanges;
  /** Names of the changes that this update applies. */
  applied: string[];
  /** The name of the reading that saw `changes` in the table, which begins with its stamp, 14 digits of epoch ms. */
  reading?: string;
  /** The new cursor; absent while an index is still being built. */
  cursor_ms?: number;
  incarnation?: string;
  /** While an index is being built: until when (epoch ms) its builder is presumed alive. */
  building_until?: number;
  /** Where the next build continues if this one ends early; null once it is finished. */
  progress?: BuildProgress | null;
}

/** Readings are remembered until the cursor is this much later: no reading of an unapplied change is older. */
const READINGS_REMEMBERED_MS = 60_000;

const stampOf = (ms: number) => String(Math.max(0, ms)).padStart(14, '0');

const names = {
  incarnation: 'incarnation',
  cursor: 'cursor_ms',
  revision: 'revision',
  building: 'building_until',
  progress: 'progress',
} as const;

function read(database: DatabaseSync, name: string): unknown {
  return statementOn(database, 'SELECT value FROM meta WHERE key = ?').get(name)?.value;
}

function write(database: DatabaseSync, name: string, value: string | number): void {
  database.prepare('INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)').run(name, value);
}

function state(database: DatabaseSync): IndexState {
  const incarnation = read(database, names.incarnation);
  return {
    incarnation: typeof incarnation === 'string' ? incarnation : undefined,
    cursor_ms: Number(read(database, names.cursor) ?? 0),
    revision: Number(read(database, names.revision) ?? 0),
    progress: JSON.parse(String(read(database, names.progress) ?? 'null')) ?? undefined,
  };
}

/** How many recent updates are remembered with the ids they changed. */
const UPDATES_REMEMBERED = 64;

const idsOf = ({ records, gone_records, relationships, gone_relationships }: IndexChanges): string[] => [
  ...records.map(({ entity }) => entity.id),
  ...relationships.map(({ id }) => id),
  ...gone_records,
  ...gone_relationships,
];

/** Whether an update changes the state of the whole index. */
const isOfWhole = ({ cursor_ms, incarnation, building_until, progress }: Update): boolean =>
  [cursor_ms, incarnation, building_until, progress].some((one) => one !== undefined);

/** Whether the condition of an update holds; also false after more updates than are remembered. */
function isInTime(database: DatabaseSync, update: Update, present: number): boolean {
  if (update.revision === present) return true;
  if (isOfWhole(update)) return false;
  const since = database
    .prepare('SELECT count(*) AS count FROM recent WHERE revision > ?')
    .get(update.revision);
  if (Number(since?.count) < present - update.revision) return false;
  const shared = `SELECT 1 FROM recent, json_each(recent.ids) AS theirs
    WHERE revision > ? AND theirs.value IN (SELECT value FROM json_each(?)) LIMIT 1`;
  return !database.prepare(shared).get(update.revision, JSON.stringify(idsOf(update.changes)));
}

function remember(database: DatabaseSync, revision: number, changes: IndexChanges): void {
  const ids = JSON.stringify(idsOf(changes));
  database.prepare('INSERT INTO recent(revision, ids) VALUES (?, ?)').run(revision, ids);
  database.prepare('DELETE FROM recent WHERE revision <= ?').run(revision - UPDATES_REMEMBERED);
}

function rememberReading(database: DatabaseSync, reading: string, changes: IndexChanges): void {
  const remembered = database.prepare('INSERT OR REPLACE INTO readings(id, reading) VALUES (?, ?)');
  for (const id of idsOf(changes)) remembered.run(id, reading);
}

/** The latest reading of each of the records and relationships that has one. */
function readings(database: DatabaseSync, ids: string[]): [id: string, reading: string][] {
  return database
    .prepare('SELECT id, reading FROM readings WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
    .map(({ id, reading }) => [String(id), String(reading)]);
}

/**
 * Applies an update and returns true. False after a conflicting write: what was read from the table may then be older
 * than what the file has, so the caller reads again.
 */
function update(database: DatabaseSync, input: Update): boolean {
  const { changes, applied, reading, cursor_ms, incarnation, building_until, progress } = input;
  return transaction(database, () => {
    const { revision } = state(database);
    if (!isInTime(database, input, revision)) return false;
    applyChanges(database, changes);
    if (!isOfWhole(input)) remember(database, revision + 1, changes);
    const insert = database.prepare('INSERT OR IGNORE INTO applied(change) VALUES (?)');
    for (const change of applied) insert.run(change);
    if (reading !== undefined) rememberReading(database, reading, changes);
    if (cursor_ms !== undefined) {
      write(database, names.cursor, cursor_ms);
      // Names of changes begin with their stamp; those before the cursor are not read again.
      database.prepare('DELETE FROM applied WHERE change < ?').run(stampOf(cursor_ms));
      database
        .prepare('DELETE FROM readings WHERE reading < ?')
        .run(stampOf(cursor_ms - READINGS_REMEMBERED_MS));
    }
    if (incarnation !== undefined) write(database, names.incarnation, incarnation);
    if (building_until !== undefined) write(database, names.building, building_until);
    if (progress !== undefined) write(database, names.progress, JSON.stringify(progress));
    write(database, names.revision, revision + 1);
    return true;
  });
}

/** Empties the index; false when it was written since `revision` was read. Throws for a file with holes. */
function reset(database: DatabaseSync, revision: number): boolean {
  return transaction(database, () => {
    if (state(database).revision !== revision) return false;
    if (lacksAny(database)) throw new Error('malformed: a file with holes');
    // The process that claimed the build continues it.
    const building = Number(read(database, names.building) ?? 0);
    recreateTables(database);
    write(database, names.building, building);
    write(database, names.revision, revision + 1);
    return true;
  });
}

/**
 * Claims the build of an empty index until `until` (epoch ms); false while another process builds it, or when it is
 * built.
 */
function claimBuild(database: DatabaseSync, { now, until }: { now: number; until: number }): boolean {
  return transaction(database, () => {
    if (state(database).incarnation !== undefined || Number(read(database, names.building) ?? 0) > now)
      return false;
    write(database, names.building, until);
    return true;
  });
}

/** The changes that are not applied yet. */
function unapplied(database: DatabaseSync, changes: string[]): string[] {
  return statementOn(
    database,
    'SELECT value FROM json_each(?) WHERE value NOT IN (SELECT change FROM applied)',
  )
    .all(JSON.stringify(changes))
    .map(({ value }) => String(value));
}

/** A new file for the objects of a snapshot, one for the copy that they are made of, and where they will be found. */
interface Copies {
  path: string;
  target: string;
  where: string;
}

/** Packs the present state of the file. Throws ObjectsAbsent. */
function pack(database: DatabaseSync, { path, target, where }: Copies): Packed {
  requireAll(database);
  database.prepare('VACUUM INTO ?').run(path);
  return packSnapshot(path, target, where);
}

/** Merges the segments that updates add to the full-text indexes. */
function optimize(database: DatabaseSync): void {
  database.exec("INSERT INTO words(words) VALUES ('optimize')");
  database.exec("INSERT INTO relationship_words(relationship_words) VALUES ('optimize')");
}

/** Counts and a checksum of ids and update times, to compare with the table's. */
function fingerprint(database: DatabaseSync): { records: number; relationships: number; checksum: string } {
  requireParts(database, 'links');
  let checksum = 0n;
  let records = 0;
  for (const row of database.prepare('SELECT id, updated_at FROM records').iterate()) {
    records += 1;
    checksum ^= checksumOf(String(row.id), Number(row.updated_at));
  }
  let relationships = 0;
  for (const row of database.prepare('SELECT id, updated_at FROM relationships').iterate()) {
    relationships += 1;
    checksum ^= checksumOf(String(row.id), Number(row.updated_at));
  }
  return { records, relationships, checksum: checksum.toString(16) };
}

/** Opens another file for an operation on several. */
export type OpenFile = (file: string) => DatabaseSync;

export const operations = {
  state: (database: DatabaseSync) => state(database),
  update: (database: DatabaseSync, input: Update) => update(database, input),
  reset: (database: DatabaseSync, revision: number) => reset(database, revision),
  claimBuild: (database: DatabaseSync, input: { now: number; until: number }) => claimBuild(database, input),
  unapplied: (database: DatabaseSync, changes: string[]) => unapplied(database, changes),
  readings: (database: DatabaseSync, ids: string[]) => readings(database, ids),
  find: (database: DatabaseSync, query: FindQuery) => snapshot(database, () => findRecords(database, query)),
  count: (database: DatabaseSync, query: Selection) =>
    snapshot(database, () => countRecords(database, query)),
  group: (
    database: DatabaseSync,
    { query, other_files }: { query: GroupQuery; other_files: string[] },
    open: OpenFile,
  ) => groupRecords([database, ...other_files.map(open)], query),
  nearest: (database: DatabaseSync, query: NearestQuery) =>
    snapshot(database, () => nearestRecords(database, query)),
  vectorCounts: (database: DatabaseSync) => snapshot(database, () => vectorCounts(database)),
  types: (database: DatabaseSync) => typesOf(database).map(({ type }) => type),
  outline: (database: DatabaseSync) => outlineOf(database),
  describe: (database: DatabaseSync, { limit }: { limit: number }) =>
    transaction(database, () => describedTypes(database, limit)),
  fields: (database: DatabaseSync, query: FieldQuery) => findFields(database, query),
  recordWithLinks: (database: DatabaseSync, { id, limit }: { id: string; limit: number }) =>
    snapshot(database, () => recordWithLinks(database, id, limit)),
  named: (database: DatabaseSync, query: NameQuery) => recordsNamed(database, query),
  identified: (database: DatabaseSync, refs: EntityRef[]) => identifiedRecords(database, refs),
  holders: (database: DatabaseSync, names: RecordName[]) => holdersOf(database, names),
  mentionedRecords: (database: DatabaseSync, { text, limit }: { text: string; limit: number }) =>
    mentionedRecords(database, text, limit),
  mentionedValues: (database: DatabaseSync, { text, limit }: { text: string; limit: number }) =>
    mentionedValues(database, text, limit),
  linksOf: (database: DatabaseSync, { ids, limit }: { ids: string[]; limit: number }) =>
    linksOf(database, ids, limit),
  findLinks: (database: DatabaseSync, query: RelationshipQuery) => findLinks(database, query),
  requireAll: (database: DatabaseSync) => requireAll(database),
  addObject: (database: DatabaseSync, input: FetchedObject) => addObject(database, input),
  pack: (database: DatabaseSync, copies: Copies) => pack(database, copies),
  optimize: (database: DatabaseSync) => optimize(database),
  fingerprint: (database: DatabaseSync) => fingerprint(database),
};

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<N extends OperationName> = Parameters<Operations[N]>[1];
/** Operations that bring an index up to date; all others query one that is. */
const following: ReadonlySet<OperationName> = new Set([
  'state',
  'update',
  'reset',
  'claimBuild',
  'unapplied',
  'readings',
  'requireAll',
  'addObject',
]);
export const isFollowing = (operation: OperationName) => following.has(operation);
export type OperationOutput<N extends OperationName> = ReturnType<Operations[N]>;
