// Groups of records with their measures: SQL reads the values, a hash of the groups accumulates them.
import type { DatabaseSync } from 'node:sqlite';
import type { Measure } from '#contract/conditions.ts';
import { firstGroups } from '#contract/groups.ts';
import type { FoundGroups, GroupQuery, GroupRow, SortKey } from '#contract/record-queries.ts';
import { selectionOf } from './find.ts';
import { measuring, type Tally } from './measures.ts';
import { fromStored, isMark, LIST_SQL } from './values.ts';
import { fieldValue, type Value } from './where.ts';

/** The groups of a selection. A list counts once under each of its distinct elements (rules.md: records 8). */
export function groupRecords(database: DatabaseSync, query: GroupQuery): FoundGroups {
  const rows = allGroups(database, query);
  const { first, group_by, measures } = query;
  // When ten groups are requested, a million must not be sent from this thread.
  return { rows: first ? firstGroups(rows, { group_by, measures, ...first }) : rows, matched: rows.length };
}

function allGroups(database: DatabaseSync, query: GroupQuery): GroupRow[] {
  const { group_by, measures } = query;
  const groups = groupsOf(group_by.length, measures);
  const selection = selectionOf(database, query);
  if (!selection) return groups.rows();
  const grouped = group_by.map((field, i) => groupedValue(fieldValue(database, field), i));
  const measured = measures.map(({ field }) =>
    field === undefined ? 'NULL' : fieldValue(database, field).expression,
  );
  const columns = [...grouped.map(({ expression }) => expression), ...measured].join(', ');
  const joins = grouped.map(({ join }) => join).join(' ');
  // SQLite would sort all rows to group them, which takes four times as long.
  database.function('take', { varargs: true, directOnly: true }, groups.take);
  try {
    database
      .prepare(`SELECT count(take(${columns})) FROM ${selection.from} ${joins} ${selection.where}`)
      .get(...selection.values);
  } finally {
    // The connection stays open; it must not retain the groups.
    database.function('take', () => null);
  }
  return groups.rows();
}

function groupedValue({ expression, lists }: Value, i: number): { expression: string; join: string } {
  if (lists === undefined) return { expression, join: '' };
  return {
    expression: `(CASE WHEN ${isMark(expression)} THEN l${i}.value ELSE ${expression} END)`,
    join: `LEFT JOIN elements l${i} ON l${i}.rid = r.rid AND l${i}.slot = ${lists} AND ${expression} = ${LIST_SQL}`,
  };
}

interface Group {
  values: SortKey[];
  tallies: Tally[];
}

/** Groups by their values, one level for each grouped field; the members of the last level are groups. */
type Level = Map<SortKey, Level | Group>;

/** Groups that accumulate rows: first the values of the grouped fields, then one value per measure. */
function groupsOf(depth: number, measures: Measure[]) {
  const top: Level = new Map();
  const found: Group[] = [];
  const add = (row: unknown[]): Group => {
    const values = row.slice(0, depth).map(fromStored);
    const group = { values, tallies: measures.map(measuring) };
    found.push(group);
    return group;
  };
  // Without a grouped field there is one group, possibly without records.
  const all = depth === 0 ? add([]) : undefined;

  function groupOf(row: unknown[]): Group {
    if (all) return all;
    let level = top;
    for (let i = 0; i < depth - 1; i += 1) level = levelBelow(level, fromStored(row[i]));
    const last = fromStored(row[depth - 1]);
    const known = level.get(last);
    if (known && !(known instanceof Map)) return known;
    const group = add(row);
    level.set(last, group);
    return group;
  }

  return {
    take(...row: unknown[]): null {
      const { tallies } = groupOf(row);
      for (let i = 0; i < tallies.length; i += 1) tallies[i]?.take(row[depth + i]);
      return null;
    },
    rows: (): GroupRow[] =>
      found.map(({ values, tallies }) => ({ values, measures: tallies.map((tally) => tally.parts()) })),
  };
}

function levelBelow(level: Level, value: SortKey): Level {
  const known = level.get(value);
  if (known instanceof Map) return known;
  const below: Level = new Map();
  level.set(value, below);
  return below;
}
