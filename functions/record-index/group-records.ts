// Groups of records with their measures: SQL reads one row per record, a hash of the groups accumulates them, and what
// exceeds its share of memory continues on disk.
import type { DatabaseSync } from 'node:sqlite';
import { fieldOfGroup, type GroupField } from '#contract/conditions.ts';
import { groupOf } from '#contract/grouped-values.ts';
import { limits } from '#contract/limits.ts';
import { firstGroups } from '#contract/record-groups.ts';
import type { FoundGroups, GroupQuery, GroupRow } from '#contract/record-queries.ts';
import { countRecords, selectionOf } from './find-records.ts';
import { createGroups, type Groups } from './group-memory.ts';
import { countGroups } from './reading-limits.ts';
import { fromStored, isMark, LIST_SQL } from './stored-values.ts';
import { snapshot } from './transaction.ts';
import { fieldValue, type Value } from './where-to-sql.ts';

/**
 * The first groups of a selection in several files, as if their records were in one. A list counts once under each of
 * its distinct elements (rules.md: records 8).
 */
export function groupRecords(databases: DatabaseSync[], query: GroupQuery): FoundGroups {
  if (isCount(query)) return firstGroups([countAll(databases, query)], query);
  const groups = createGroups(query.group_by.length, query.measures);
  try {
    for (const database of databases) snapshot(database, () => addRecords(database, query, groups));
    return firstGroups(groups.rows(), query);
  } finally {
    groups.close();
  }
}

/** Whether all records are one group, of which only their number is asked. */
const isCount = ({ group_by, measures }: GroupQuery): boolean =>
  group_by.length === 0 && measures.every(({ op, field }) => op === 'count' && field === undefined);

/** The one group. SQLite counts without a call for each record, and the records of a type are counted already. */
function countAll(databases: DatabaseSync[], query: GroupQuery): GroupRow {
  const counts = databases.map((database) => snapshot(database, () => countRecords(database, query)));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return { values: [], measures: query.measures.map(() => ({ count })) };
}

function addRecords(database: DatabaseSync, query: GroupQuery, groups: Groups): void {
  const selection = selectionOf(database, query);
  if (!selection) return;
  const grouped = query.group_by.map((one) => fieldValue(database, fieldOfGroup(one)));
  const measured = query.measures.map(({ field }) =>
    field === undefined ? 'NULL' : fieldValue(database, field).expression,
  );
  const haveLists = grouped.some(({ lists }) => lists !== undefined);
  // SQLite would sort all rows to group them, which takes four times as long.
  const falls = fallingInto(query.group_by);
  const isNew = haveLists && falls ? onceARecord(query.group_by.length) : () => true;
  const take = (...row: unknown[]): null => {
    if (!haveLists) countGroups(1);
    falls?.(row);
    if (isNew(row)) groups.add(row);
    return null;
  };
  database.function('take', { varargs: true, directOnly: true }, take);
  try {
    database.prepare(pairsOf(selection, grouped, measured, haveLists)).get(...selection.values);
  } finally {
    // The connection stays open; it must not retain the groups.
    database.function('take', () => null);
  }
}

/** Puts the beginnings of periods and steps in place of the values of a row; undefined if no field has any. */
function fallingInto(grouped: GroupField[]): ((row: unknown[]) => void) | undefined {
  const beginnings = grouped.flatMap((one, i) => (typeof one === 'string' ? [] : [{ i, by: one.by }]));
  if (beginnings.length === 0) return undefined;
  return (row) => {
    for (const { i, by } of beginnings) row[i] = groupOf(row[i], by);
  };
}

/**
 * Tells whether a row is the first of its record in its group: several elements of a list may fall into one. The last
 * member of a row names its record, and the rows of a record follow each other.
 */
function onceARecord(depth: number): (row: unknown[]) => boolean {
  let record: unknown;
  const seen = new Set<string>();
  return (row) => {
    if (row.at(-1) !== record) seen.clear();
    record = row.at(-1);
    const key = JSON.stringify(row.slice(0, depth).map(fromStored));
    return !seen.has(key) && seen.add(key) !== undefined;
  };
}

/**
 * Takes every pair of a record and a group. SQLite evaluates the inner select, with its count, once per record. Without
 * lists a record is one pair, which need not be counted before it is taken.
 */
function pairsOf(
  selection: { from: string; where: string },
  grouped: Value[],
  measured: string[],
  haveLists: boolean,
): string {
  if (!haveLists) {
    const row = [...grouped.map(({ expression }) => expression), ...measured];
    return `SELECT count(take(${row.join(', ')})) FROM ${selection.from} ${selection.where}`;
  }
  const groupCounts = ['1', ...grouped.filter(({ lists }) => lists !== undefined).map(elementCount)];
  const inner = [
    'r.rid AS rid',
    `count_groups(${groupCounts.join(' * ')}) AS counted`,
    ...grouped.map(({ expression }, i) => `${expression} AS g${i}`),
    ...measured.map((expression, i) => `${expression} AS m${i}`),
  ];
  const keys = grouped.map(({ lists }, i) =>
    lists === undefined ? `r.g${i}` : `CASE WHEN ${isMark(`r.g${i}`)} THEN l${i}.value ELSE r.g${i} END`,
  );
  const joins = grouped.map(({ lists }, i) =>
    lists === undefined
      ? ''
      : `LEFT JOIN elements l${i} ON l${i}.rid = r.rid AND l${i}.slot = ${lists} AND r.g${i} = ${LIST_SQL}`,
  );
  const columns = [...keys, ...measured.map((_, i) => `r.m${i}`), 'r.counted', 'r.rid'];
  // With a LIMIT, SQLite does not merge the inner select into the join.
  return `SELECT count(take(${columns.join(', ')})) FROM (SELECT ${inner.join(', ')} FROM ${selection.from} ${selection.where} LIMIT -1) r ${joins.join(' ')}`;
}

/** Under how many groups of this field a record counts: at least one, at most one more than it may. */
function elementCount({ expression, lists }: Value): string {
  const some = `SELECT 1 FROM elements e WHERE e.rid = r.rid AND e.slot = ${lists} LIMIT ${limits.groups_per_record_max + 1}`;
  return `(CASE WHEN ${expression} = ${LIST_SQL} THEN max(1, (SELECT count(*) FROM (${some}))) ELSE 1 END)`;
}
