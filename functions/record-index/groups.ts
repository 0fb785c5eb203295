// Groups of records with their measures: SQL reads one row per record, a hash of the groups accumulates them, and what
// exceeds its share of memory continues on disk.
import type { DatabaseSync } from 'node:sqlite';
import { firstGroups } from '#contract/groups.ts';
import { limits } from '#contract/limits.ts';
import type { FoundGroups, GroupQuery, SortKey } from '#contract/record-queries.ts';
import { selectionOf } from './find.ts';
import { createGroups, type Groups } from './group-memory.ts';
import { countGroups } from './reading.ts';
import { fromStored, isListMark } from './values.ts';
import { fieldValue } from './where.ts';

/**
 * The first groups of a selection in several files, as if their records were in one. A list counts once under each of
 * its distinct elements (rules.md: records 8).
 */
export function groupRecords(databases: DatabaseSync[], query: GroupQuery): FoundGroups {
  const groups = createGroups(query.group_by.length, query.measures);
  try {
    for (const database of databases) addRecords(database, query, groups);
    return firstGroups(groups.rows(), query);
  } finally {
    groups.close();
  }
}

function addRecords(database: DatabaseSync, query: GroupQuery, groups: Groups): void {
  const selection = selectionOf(database, query);
  if (!selection) return;
  const grouped = query.group_by.map((field) => fieldValue(database, field));
  const measured = query.measures.map(({ field }) =>
    field === undefined ? 'NULL' : fieldValue(database, field).expression,
  );
  const columns = ['r.rid', ...grouped.map(({ expression }) => expression), ...measured].join(', ');
  const elementsOf = elementReader(database);
  const take = (rid: unknown, ...row: unknown[]): null => {
    const keys = grouped.map(({ lists }, i): SortKey[] => {
      const value = row[i];
      return lists !== undefined && isListMark(value) ? elementsOf(rid, lists) : [fromStored(value)];
    });
    countGroups(keys.reduce((product, { length }) => product * length, 1));
    const values = row.slice(grouped.length);
    for (const group of combinations(keys)) groups.add(group, values);
    return null;
  };
  // SQLite would sort all rows to group them, which takes four times as long.
  database.function('take', { varargs: true, directOnly: true }, take);
  try {
    database
      .prepare(`SELECT count(take(${columns})) FROM ${selection.from} ${selection.where}`)
      .get(...selection.values);
  } finally {
    // The connection stays open; it must not retain the groups.
    database.function('take', () => null);
  }
}

/** Reads the elements of a list: at most one more than a record may have groups; an empty list is absent. */
function elementReader(database: DatabaseSync): (rid: unknown, slot: number) => SortKey[] {
  const select = database.prepare('SELECT value FROM elements WHERE rid = ? AND slot = ? LIMIT ?');
  return (rid, slot) => {
    const rows = select.all(Number(rid), slot, limits.groups_per_record_max + 1);
    return rows.length === 0 ? [null] : rows.map(({ value }) => fromStored(value));
  };
}

/** Every choice of one key from each list; one empty choice of no lists. */
function combinations(keys: SortKey[][]): SortKey[][] {
  return keys.reduce<SortKey[][]>(
    (chosen, list) => chosen.flatMap((some) => list.map((key) => [...some, key])),
    [[]],
  );
}
