// The file of a record index: its tables, and how it is opened.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { countRow } from './counted-rows.ts';
import { foldText } from './folded-text.ts';
import { checkReading, countGroups } from './reading.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import { transaction } from './transaction.ts';

/** Fields from this slot on share the table `wide` instead of having a column each. */
export const COLUMN_SLOTS = 500;
/**
 * Fields below this slot have their columns from the start, before what conditions rarely need: of a row SQLite reads
 * all columns before the last one that it needs.
 */
export const FIRST_SLOTS = 16;
const firstColumns = Array.from({ length: FIRST_SLOTS }, (_, slot) => `c${slot}`).join(', ');

/** Words come folded and separated by spaces: signs at their ends are part of them. */
const TOKENS = `tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co So' tokenchars '+#'"`;

const TABLES = `
CREATE TABLE meta(key PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta(key, value) VALUES ('tables', hex(randomblob(16)));
CREATE TABLE records(rid INTEGER PRIMARY KEY, type, ${firstColumns}, id, name, name_key, external_uri, external_id, source, created_at, updated_at);
CREATE UNIQUE INDEX records_id ON records(id);
CREATE TABLE bodies(rid INTEGER PRIMARY KEY, body);
CREATE INDEX records_name ON records(name_key);
CREATE INDEX records_uri ON records(external_uri) WHERE external_uri IS NOT NULL;
CREATE INDEX records_outside ON records(external_id, source) WHERE external_id IS NOT NULL;
CREATE TABLE fields(slot INTEGER PRIMARY KEY, path, kinds INTEGER NOT NULL, texts INTEGER NOT NULL);
CREATE UNIQUE INDEX fields_path ON fields(path);
CREATE TABLE wide(rid INTEGER, slot INTEGER, value, PRIMARY KEY(rid, slot)) WITHOUT ROWID;
CREATE TABLE elements(rid INTEGER, slot INTEGER, value, PRIMARY KEY(rid, slot, value)) WITHOUT ROWID;
CREATE TABLE types(type PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE outline(type, slot INTEGER, numbers INTEGER, texts INTEGER, booleans INTEGER, lists INTEGER, objects INTEGER, leaves INTEGER, low, high, samples, stale INTEGER, PRIMARY KEY(type, slot)) WITHOUT ROWID;
CREATE TABLE texts(key, slot INTEGER, value, PRIMARY KEY(key, slot, value)) WITHOUT ROWID;
CREATE INDEX texts_slot ON texts(slot);
CREATE TABLE name_lengths(words INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(name, body, type, content='', contentless_delete=1, ${TOKENS});
CREATE TABLE relationships(rid INTEGER PRIMARY KEY, id, type, from_id, to_id, words, created_at, updated_at);
CREATE UNIQUE INDEX relationships_id ON relationships(id);
CREATE INDEX relationships_from ON relationships(from_id);
CREATE INDEX relationships_to ON relationships(to_id);
CREATE VIRTUAL TABLE relationship_words USING fts5(words, content='', contentless_delete=1, ${TOKENS});
CREATE TABLE vectors(vector_of, chunk INTEGER, version INTEGER, filled INTEGER, data, PRIMARY KEY(vector_of, chunk)) WITHOUT ROWID;
CREATE TABLE type_numbers(number INTEGER PRIMARY KEY, type UNIQUE);
CREATE TABLE vector_of(rid INTEGER PRIMARY KEY, vector_of, dimensions INTEGER);
CREATE UNIQUE INDEX vectors_version ON vectors(vector_of, version);
CREATE TABLE waiting_vectors(rid INTEGER PRIMARY KEY, type, vector, vector_of);
CREATE TABLE waiting_rows(step INTEGER PRIMARY KEY, part, sql, a, b, c, d);
CREATE TABLE applied(change PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE readings(id PRIMARY KEY, reading) WITHOUT ROWID;
CREATE TABLE absent(part, number INTEGER, sum, PRIMARY KEY(part, number)) WITHOUT ROWID;
CREATE TABLE recent(revision INTEGER PRIMARY KEY, ids);
`;

/**
 * Opens the file. Several processes may do so at once; an unreadable file or one of another schema is replaced by an
 * empty one. The file is a cache: what a power cut destroys is read from the table again.
 */
export function openFile(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return prepare(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeFile(path);
    return prepare(path);
  }
}

/** An empty index in memory. */
export const openMemory = (): DatabaseSync => prepare(':memory:');

/** Empties an open file, in the transaction of the caller. */
export function recreateTables(database: DatabaseSync): void {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const shadow = /^(words|relationship_words)_/;
  for (const { name } of tables) if (!shadow.test(String(name))) database.exec(`DROP TABLE "${name}"`);
  database.exec(TABLES);
}

/** Removes the file and SQLite's files next to it. */
export function removeFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** Whether an error says that the file is damaged or not an index of this version. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof Error &&
    /malformed|not a database|not built|no such (table|column)|schema version/.test(error.message)
  );
}

/** Whether an error says that others kept the file locked for as long as SQLite waits. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database (table )?is locked/.test(error.message);
}

function prepare(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY');
    database.exec(
      'PRAGMA mmap_size = 4000000000; PRAGMA cache_size = -16000; PRAGMA case_sensitive_like = ON',
    );
    defineFunctions(database);
    createTables(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function createTables(database: DatabaseSync): void {
  transaction(database, () => {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version === 0) database.exec(`${TABLES}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    else if (version !== SCHEMA_VERSION) throw new Error('another schema version');
  });
}

function defineFunctions(database: DatabaseSync): void {
  // SQLite cannot be interrupted from JavaScript, but it calls this for each row.
  database.function('go_on', () => {
    checkReading();
    return 1;
  });
  database.function('count_groups', (groups) => {
    countGroups(Number(groups));
    return 1;
  });
  database.function('count_row', { directOnly: true }, countRow);
  database.function('fold_text', { deterministic: true }, (value, separator) =>
    foldText(String(value), String(separator)),
  );
}
