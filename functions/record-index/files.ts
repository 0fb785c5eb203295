// The files of an index: the core, which every question reads, and those next to it that some questions need. Each has
// its own state, because SQLite writes several files in one transaction, but commits them one after the other.
import type { DatabaseSync } from 'node:sqlite';

/** Incremented with every change of a record index: of its tables, or of how it folds texts. Others are rebuilt. */
export const SCHEMA_VERSION = 15;

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
