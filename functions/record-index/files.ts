// The files of an index: the core, which every question reads, and those next to it that some questions need. Each has
// its own state, because SQLite writes several files in one transaction, but commits them one after the other.
import type { DatabaseSync } from 'node:sqlite';
import { statementOn } from './prepared-statements.ts';

/** Incremented with every change of a record index: of its tables, or of how it folds texts. Others are rebuilt. */
export const SCHEMA_VERSION = 14;

/**
 * The files next to the core: words, values that have no room in a column, vectors, and relationships. One of them that
 * is absent follows the table from its own cursor once it has come.
 */
export const fileNames = ['words', 'wide', 'vectors', 'links'] as const;
export type FileName = (typeof fileNames)[number];

/** The name of the schema under which a file is attached. */
export const schemaOf = (name: FileName) => `${name}_db`;

/** The path of a file, by that of the core. */
export const pathOf = (core: string, name: FileName) => `${core}.${name}`;

/** The file is damaged or not an index of this version. */
export class FileDamaged extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'FileDamaged';
  }
}

/** Parts of the snapshot that a restored index lacks, and the operation needs. */
export interface Absent {
  files: FileName[];
  /** Numbers of blocks of bodies. */
  blocks: number[];
}

/** The index lacks parts of its snapshot that the operation needs. */
export class PartsAbsent extends Error {
  readonly database: DatabaseSync;
  readonly absent: Absent;
  constructor(database: DatabaseSync, absent: Absent) {
    super('parts of the snapshot are absent');
    this.name = 'PartsAbsent';
    this.database = database;
    this.absent = absent;
  }
}

const attached = new WeakMap<DatabaseSync, FileName[]>();

/** The files that are attached to a core. */
export const attachedTo = (database: DatabaseSync): readonly FileName[] => attached.get(database) ?? [];

export const hasFile = (database: DatabaseSync, name: FileName) => attachedTo(database).includes(name);

/** Records that a file is attached. */
export function addAttached(database: DatabaseSync, name: FileName): void {
  attached.set(database, [...attachedTo(database), name]);
}

/** The schemas of all files of an open index. */
export const schemasOf = (database: DatabaseSync): string[] => [
  'main',
  ...attachedTo(database).map(schemaOf),
];

/**
 * Whether all attached files have the same changes. They may not for the instant of a commit, after a process died in
 * that instant, and when a file has come from the snapshot: then the next update that moves the cursor levels them.
 */
function isLevel(database: DatabaseSync): boolean {
  const revision = (schema: string) => `(SELECT value FROM ${schema}.meta WHERE key = 'revision')`;
  const tests = attachedTo(database).map((name) => `${revision(schemaOf(name))} IS ${revision('main')}`);
  if (tests.length === 0) return true;
  return statementOn(database, `SELECT ${tests.join(' AND ')} AS level`).get()?.level === 1;
}

/** How long, in ms, a reader waits for the instant of a commit to pass, a look every millisecond. */
const LEVEL_WAIT_MS = 200;
const sleeper = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Files of an index that do not have the same changes. */
export class NotLevel extends Error {
  constructor() {
    super('the files of the index are not level');
    this.name = 'NotLevel';
  }
}

/** Does work that writes: all of it or nothing, in each file. The core is written first. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  return between(database, 'BEGIN IMMEDIATE', work);
}

/** Does work that reads one state of the files, whatever other processes write. Throws NotLevel. */
export function snapshot<T>(database: DatabaseSync, work: () => T): T {
  for (let waited = 0; ; waited += 1) {
    const done = between(database, 'BEGIN', () => (isLevel(database) ? { result: work() } : undefined));
    if (done) return done.result;
    if (waited === LEVEL_WAIT_MS) throw new NotLevel();
    Atomics.wait(sleeper, 0, 0, 1);
  }
}

function between<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk rolls back the transaction by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
