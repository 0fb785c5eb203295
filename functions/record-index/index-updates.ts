// The state of an index and the updates that follow the table: one transaction over all files that are attached.
import type { DatabaseSync } from 'node:sqlite';
import { applyChanges, type IndexChanges } from './apply.ts';
import { attachedTo, fileNames, schemasOf } from './files.ts';
import { IndexDamaged } from './index-errors.ts';
import { statementOn } from './prepared-statements.ts';
import { recreateTables } from './schema.ts';
import { restoredFrom } from './snapshot-objects.ts';
import { transaction } from './transaction.ts';

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
  /** Whether all its files have the same changes. */
  is_level: boolean;
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
  /** The new cursor: everything before it is in all files, which are level then. Absent: they stay as they were. */
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

function read(database: DatabaseSync, name: string, schema = 'main'): unknown {
  return statementOn(database, `SELECT value FROM ${schema}.meta WHERE key = ?`).get(name)?.value;
}

function write(database: DatabaseSync, name: string, value: string | number, schema = 'main'): void {
  statementOn(database, `INSERT OR REPLACE INTO ${schema}.meta(key, value) VALUES (?, ?)`).run(name, value);
}

const revisionOf = (database: DatabaseSync, schema: string) =>
  Number(read(database, names.revision, schema) ?? 0);

/** The state of the files: that of the one that has the least. Throws IndexDamaged if it is the core. */
export function state(database: DatabaseSync): IndexState {
  const revisions = schemasOf(database).map((schema) => ({ schema, revision: revisionOf(database, schema) }));
  const [least] = revisions.toSorted((left, right) => left.revision - right.revision);
  const revision = revisionOf(database, 'main');
  if (revisions.some((one) => one.revision > revision)) throw new IndexDamaged('a file is ahead of its core');
  const incarnation = read(database, names.incarnation, least?.schema);
  return {
    incarnation: typeof incarnation === 'string' ? incarnation : undefined,
    cursor_ms: Number(read(database, names.cursor, least?.schema) ?? 0),
    revision,
    progress: JSON.parse(String(read(database, names.progress, least?.schema) ?? 'null')) ?? undefined,
    is_level: least?.revision === revision,
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
export function readings(database: DatabaseSync, ids: string[]): [id: string, reading: string][] {
  return database
    .prepare('SELECT id, reading FROM readings WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
    .map(({ id, reading }) => [String(id), String(reading)]);
}

/**
 * Applies an update and returns true. False after a conflicting write: what was read from the table may then be older
 * than what the files have, so the caller reads again. A crash between the commits of two files leaves one that lags:
 * it lacks the names of the changes, which are then applied once more, to all.
 */
export function update(database: DatabaseSync, input: Update): boolean {
  return transaction(database, () => {
    const { revision, is_level } = state(database);
    if (!isInTime(database, input, revision)) return false;
    // All files have removed these.
    if (is_level && attachedTo(database).length === fileNames.length) database.exec('DELETE FROM removed');
    applyChanges(database, input.changes, { isLevel: is_level });
    if (!isOfWhole(input)) remember(database, revision + 1, input.changes);
    if (input.reading !== undefined) rememberReading(database, input.reading, input.changes);
    if (input.building_until !== undefined) write(database, names.building, input.building_until);
    for (const schema of schemasOf(database)) save(database, schema, input, revision);
    return true;
  });
}

/** Saves the state of a file after an update of a core of this revision. */
function save(database: DatabaseSync, schema: string, input: Update, revision: number): void {
  const insert = statementOn(database, `INSERT OR IGNORE INTO ${schema}.applied(change) VALUES (?)`);
  for (const change of input.applied) insert.run(change);
  const { cursor_ms, incarnation, progress } = input;
  if (cursor_ms === undefined && revisionOf(database, schema) < revision) return;
  if (cursor_ms !== undefined) {
    write(database, names.cursor, cursor_ms, schema);
    // Names of changes begin with their stamp; those before the cursor are not read again.
    database.prepare(`DELETE FROM ${schema}.applied WHERE change < ?`).run(stampOf(cursor_ms));
    if (schema === 'main')
      database
        .prepare('DELETE FROM readings WHERE reading < ?')
        .run(stampOf(cursor_ms - READINGS_REMEMBERED_MS));
  }
  if (incarnation !== undefined) write(database, names.incarnation, incarnation, schema);
  if (progress !== undefined) write(database, names.progress, JSON.stringify(progress), schema);
  write(database, names.revision, revision + 1, schema);
}

/** Empties the index; false when it was written since `revision` was read. Throws for one that lacks files. */
export function reset(database: DatabaseSync, revision: number): boolean {
  return transaction(database, () => {
    if (state(database).revision !== revision) return false;
    if (restoredFrom(database) !== undefined) throw new IndexDamaged('a restored index is not rebuilt');
    // The process that claimed the build continues it.
    const building = Number(read(database, names.building) ?? 0);
    recreateTables(database);
    write(database, names.building, building);
    for (const schema of schemasOf(database)) write(database, names.revision, revision + 1, schema);
    return true;
  });
}

/**
 * Claims the build of an empty index until `until` (epoch ms); false while another process builds it, or when it is
 * built.
 */
export function claimBuild(database: DatabaseSync, { now, until }: { now: number; until: number }): boolean {
  return transaction(database, () => {
    if (state(database).incarnation !== undefined || Number(read(database, names.building) ?? 0) > now)
      return false;
    write(database, names.building, until);
    return true;
  });
}

/** The changes that one of the files has not applied yet. */
export function unapplied(database: DatabaseSync, changes: string[]): string[] {
  const isMissing = schemasOf(database).map(
    (schema) => `value NOT IN (SELECT change FROM ${schema}.applied)`,
  );
  return statementOn(database, `SELECT value FROM json_each(?) WHERE ${isMissing.join(' OR ')}`)
    .all(JSON.stringify(changes))
    .map(({ value }) => String(value));
}
