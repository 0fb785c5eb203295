// The operations on the index of a workspace, by name; the thread that owns the files performs them.
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
import { describedTypes, findFields } from './described-types.ts';
import type { FileName } from './files.ts';
import { findLinks, linksOf, recordWithLinks } from './find-links.ts';
import { holdersOf, identifiedRecords, recordsNamed } from './find-names.ts';
import { countRecords, findIds, findRecords, nearestRecords, vectorCounts } from './find-records.ts';
import { fingerprint } from './fingerprint.ts';
import { groupRecords } from './group-records.ts';
import { claimBuild, readings, reset, state, type Update, unapplied, update } from './index-updates.ts';
import { mentionedRecords, mentionedValues } from './mentions.ts';
import { type Copies, packSnapshot } from './pack.ts';
import { addBlock } from './record-bodies.ts';
import { absentObjects } from './snapshot-objects.ts';
import { snapshot, transaction } from './transaction.ts';
import { outlineOf, typesOf } from './type-outline.ts';

/** Merges the segments that updates add to the full-text indexes. */
function optimize(database: DatabaseSync): void {
  database.exec("INSERT INTO words(words) VALUES ('optimize')");
  database.exec("INSERT INTO relationship_words(relationship_words) VALUES ('optimize')");
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
  ids: (database: DatabaseSync, query: Selection & { limit: number }) =>
    snapshot(database, () => findIds(database, query)),
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
    snapshot(database, () => mentionedValues(database, text, limit)),
  linksOf: (database: DatabaseSync, { ids, limit }: { ids: string[]; limit: number }) =>
    snapshot(database, () => linksOf(database, ids, limit)),
  findLinks: (database: DatabaseSync, query: RelationshipQuery) =>
    snapshot(database, () => findLinks(database, query)),
  absentObjects: (database: DatabaseSync, part: FileName | 'bodies') => absentObjects(database, part),
  addBlock: (database: DatabaseSync, block: string) => transaction(database, () => addBlock(database, block)),
  /** Throws IndexIncomplete unless the index has everything. */
  requireAll: (_: DatabaseSync) => undefined,
  pack: (database: DatabaseSync, copies: Copies) => packSnapshot(database, copies),
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
  'absentObjects',
  'addBlock',
  'requireAll',
]);
export const isFollowing = (operation: OperationName) => following.has(operation);
export type OperationOutput<N extends OperationName> = ReturnType<Operations[N]>;
