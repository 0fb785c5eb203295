// The tables of a record index, by file, and how its files are opened.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { foldText } from '#platform/folded-text.ts';
import {
  addAttached,
  type FileName,
  fileNames,
  hasFile,
  pathOf,
  SCHEMA_VERSION,
  schemaOf,
  schemasOf,
} from './files.ts';
import { IndexDamaged, isDamage } from './index-errors.ts';
import { checkReading, countGroups, countRow } from './reading-limits.ts';
import { restoredFrom } from './snapshot-objects.ts';
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

/** The state of each file. `tables` identifies the files that belong together. */
const stateTables = (schema: string) => `
CREATE TABLE ${schema}.meta(key PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE ${schema}.applied(change PRIMARY KEY) WITHOUT ROWID;
`;

const CORE = `
INSERT INTO meta(key, value) VALUES ('tables', hex(randomblob(16)));
CREATE TABLE records(rid INTEGER PRIMARY KEY AUTOINCREMENT, type, ${firstColumns}, id, name, name_key, external_uri, external_id, source, created_at, updated_at);
CREATE UNIQUE INDEX records_id ON records(id);
CREATE TABLE bodies(rid INTEGER PRIMARY KEY, body);
CREATE INDEX records_name ON records(name_key);
CREATE INDEX records_uri ON records(external_uri) WHERE external_uri IS NOT NULL;
CREATE INDEX records_outside ON records(external_id, source) WHERE external_id IS NOT NULL;
CREATE TABLE removed(rid INTEGER PRIMARY KEY, id);
CREATE INDEX removed_id ON removed(id);
CREATE TABLE fields(slot INTEGER PRIMARY KEY, path, kinds INTEGER NOT NULL, texts INTEGER NOT NULL);
CREATE UNIQUE INDEX fields_path ON fields(path);
CREATE TABLE elements(rid INTEGER, slot INTEGER, value, PRIMARY KEY(rid, slot, value)) WITHOUT ROWID;
CREATE TABLE types(type PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE outline(type, slot INTEGER, numbers INTEGER, texts INTEGER, booleans INTEGER, lists INTEGER, objects INTEGER, dates INTEGER, leaves INTEGER, low, high, first, last, samples, stale INTEGER, PRIMARY KEY(type, slot)) WITHOUT ROWID;
CREATE TABLE texts(key, slot INTEGER, value, PRIMARY KEY(key, slot, value)) WITHOUT ROWID;
CREATE INDEX texts_slot ON texts(slot);
CREATE TABLE name_lengths(words INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE readings(id PRIMARY KEY, reading) WITHOUT ROWID;
CREATE TABLE recent(revision INTEGER PRIMARY KEY, ids);
CREATE TABLE objects(part, number INTEGER, sum, PRIMARY KEY(part, number)) WITHOUT ROWID;
`;

const next: Record<FileName, string> = {
  words: `
CREATE VIRTUAL TABLE words_db.words USING fts5(name, body, type, content='', contentless_delete=1, ${TOKENS});
`,
  wide: `
CREATE TABLE wide_db.wide(rid INTEGER, slot INTEGER, value, PRIMARY KEY(rid, slot)) WITHOUT ROWID;
`,
  vectors: `
CREATE TABLE vectors_db.vectors(vector_of, chunk INTEGER, version INTEGER, filled INTEGER, data, PRIMARY KEY(vector_of, chunk)) WITHOUT ROWID;
CREATE UNIQUE INDEX vectors_db.vectors_version ON vectors(vector_of, version);
CREATE TABLE vectors_db.type_numbers(number INTEGER PRIMARY KEY, type UNIQUE);
CREATE TABLE vectors_db.vector_of(rid INTEGER PRIMARY KEY, vector_of, dimensions INTEGER);
`,
  links: `
CREATE TABLE links_db.relationships(rid INTEGER PRIMARY KEY, id, type, from_id, to_id, words, created_at, updated_at);
CREATE UNIQUE INDEX links_db.relationships_id ON relationships(id);
CREATE INDEX links_db.relationships_from ON relationships(from_id);
CREATE INDEX links_db.relationships_to ON relationships(to_id);
CREATE VIRTUAL TABLE links_db.relationship_words USING fts5(words, content='', contentless_delete=1, ${TOKENS});
`,
};

/**
 * Opens an index. Several processes may do so at once; an unreadable one or one of another schema is replaced by an
 * empty one. Its files are a cache: what a power cut destroys is read from the table again.
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

/** Empties an open index that has all its files, in the transaction of the caller. */
export function recreateTables(database: DatabaseSync): void {
  const shadow = /^(words|relationship_words)_/;
  for (const schema of schemasOf(database)) {
    const tables = database
      .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all();
    for (const { name } of tables)
      if (!shadow.test(String(name))) database.exec(`DROP TABLE ${schema}."${name}"`);
  }
  database.exec(stateTables('main') + CORE);
  for (const name of fileNames) createNext(database, name);
}

/** Removes the files of an index and SQLite's files next to them. */
export function removeFile(path: string): void {
  for (const one of [path, ...fileNames.map((name) => pathOf(path, name))])
    for (const suffix of ['', '-wal', '-shm']) rmSync(one + suffix, { force: true });
}

function prepare(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    database.exec(`PRAGMA temp_store = MEMORY; PRAGMA case_sensitive_like = ON; ${settingsOf('main')}`);
    defineFunctions(database);
    transaction(database, () => {
      if (isEmpty(database, 'main'))
        database.exec(`${stateTables('main') + CORE}; PRAGMA main.user_version = ${SCHEMA_VERSION}`);
    });
    attachFiles(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const settingsOf = (
  schema: string,
) => `PRAGMA ${schema}.journal_mode = WAL; PRAGMA ${schema}.synchronous = OFF;
  PRAGMA ${schema}.mmap_size = 4000000000; PRAGMA ${schema}.cache_size = -16000`;

/** Attaches what an index has next to its core, and is not attached yet: all, except what a restored one lacks. */
export function attachFiles(database: DatabaseSync): void {
  const left = fileNames.filter((name) => !hasFile(database, name));
  if (left.length === 0) return;
  const core = database.location();
  const isRestored = restoredFrom(database) !== undefined;
  for (const name of left) {
    const path = core === null ? ':memory:' : pathOf(core, name);
    if (isRestored && !existsSync(path)) continue;
    const schema = schemaOf(name);
    database.prepare(`ATTACH ? AS ${schema}`).run(path);
    database.exec(settingsOf(schema));
    transaction(database, () => {
      if (!isEmpty(database, schema)) return;
      database.exec(`PRAGMA ${schema}.user_version = ${SCHEMA_VERSION}`);
      createNext(database, name);
    });
    const isOfCore = `SELECT (SELECT value FROM main.meta WHERE key = 'tables') IS (SELECT value FROM ${schema}.meta WHERE key = 'tables') AS same`;
    if (database.prepare(isOfCore).get()?.same !== 1) throw new IndexDamaged('a file of another index');
    addAttached(database, name);
  }
}

function createNext(database: DatabaseSync, name: FileName): void {
  const schema = schemaOf(name);
  database.exec(`${stateTables(schema)}${next[name]}
    INSERT INTO ${schema}.meta(key, value) SELECT key, value FROM main.meta WHERE key = 'tables'`);
}

/** Whether a file has no tables yet. Throws for one of another version. */
function isEmpty(database: DatabaseSync, schema: string): boolean {
  const version = Number(database.prepare(`PRAGMA ${schema}.user_version`).get()?.user_version);
  if (version !== 0 && version !== SCHEMA_VERSION) throw new IndexDamaged('another schema version');
  return version === 0;
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
