// What an operation needs of an index that was restored from a snapshot: looked at before it begins.
import type { DatabaseSync } from 'node:sqlite';
import { fieldOfGroup, fieldsOfWhere, readField } from '#contract/conditions.ts';
import type { FindQuery, GroupQuery, Selection } from '#contract/record-queries.ts';
import { sampledRids } from './described-types.ts';
import { findField, hasColumn, hasLongText } from './field-slots.ts';
import { type FileName, fileNames, hasFile } from './files.ts';
import { IndexIncomplete } from './index-errors.ts';
import type { OperationInput, OperationName } from './index-operations.ts';
import type { Update } from './index-updates.ts';
import { searchedSlots } from './mentions.ts';
import { absentBlocks } from './record-bodies.ts';
import { restoredFrom } from './snapshot-objects.ts';

/** The files, and the numbers of blocks that the index lacks. */
interface Needs {
  files?: readonly FileName[];
  blocks?: number[];
}

const needsOf: { [N in OperationName]?: (database: DatabaseSync, input: OperationInput<N>) => Needs } = {
  update: (database, { changes }: Update) => ({
    blocks: absentBlocks(
      database,
      'SELECT rid FROM records WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify([...changes.records.map(({ entity }) => entity.id), ...changes.gone_records]),
    ),
  }),
  find: (database, query) => ({ files: filesOf(database, query, sortedFields(query)) }),
  ids: (database, query) => ({ files: filesOf(database, query, []) }),
  count: (database, query) => ({ files: filesOf(database, query, []) }),
  group: (database, { query }) => ({ files: filesOf(database, query, groupedFields(query)) }),
  nearest: (database, query) => ({ files: ['vectors', ...filesOf(database, query, [])] }),
  vectorCounts: () => ({ files: ['vectors'] }),
  recordWithLinks: () => ({ files: ['links'] }),
  linksOf: () => ({ files: ['links'] }),
  findLinks: () => ({ files: ['links'] }),
  fingerprint: () => ({ files: ['links'] }),
  mentionedValues: (database) => ({ files: searchedSlots(database).length > 0 ? ['words'] : [] }),
  describe: (database) => {
    const { rids, types, hasWide } = sampledRids(database);
    return { files: hasWide ? ['wide'] : [], blocks: absentBlocks(database, rids, types) };
  },
  optimize: () => ({ files: ['words', 'links'] }),
  requireAll: everything,
  pack: everything,
};

function everything(database: DatabaseSync): Needs {
  return { files: fileNames, blocks: absentBlocks(database, 'SELECT rid FROM records') };
}

const sortedFields = ({ sort }: FindQuery) =>
  typeof sort === 'string' ? [] : sort.map(({ field }) => field);

const groupedFields = ({ group_by, measures }: GroupQuery) => [
  ...group_by.map(fieldOfGroup),
  ...measures.flatMap(({ field }) => field ?? []),
];

/** The files of a selection and of further fields. */
function filesOf(database: DatabaseSync, { words, where }: Selection, fields: string[]): FileName[] {
  const named = [...fields, ...(where ? fieldsOfWhere(where) : [])];
  return [
    ...(words?.length ? (['words'] as const) : []),
    ...(named.some((name) => isWide(database, name)) ? (['wide'] as const) : []),
  ];
}

function isWide(database: DatabaseSync, name: string): boolean {
  const named = readField(name);
  const field = 'path' in named ? findField(database, named.path) : undefined;
  return field !== undefined && (!hasColumn(field) || hasLongText(field));
}

/** Throws IndexIncomplete unless the index of a file has what an operation needs. */
export function requireParts(
  database: DatabaseSync,
  { file, operation, input }: { file: string; operation: OperationName; input: unknown },
): void {
  if (restoredFrom(database) === undefined) return;
  // The input belongs to the operation of the same message.
  const needs = needsOf[operation] as ((database: DatabaseSync, input: unknown) => Needs) | undefined;
  const { files = [], blocks = [] } = needs?.(database, input) ?? {};
  const absent = files.filter((name) => !hasFile(database, name));
  if (absent.length > 0 || blocks.length > 0) throw new IndexIncomplete({ file, files: absent, blocks });
}
