// Groups of records with their measures, as SQL.
import type { DatabaseSync } from 'node:sqlite';
import type { Measure } from '#contract/conditions.ts';
import type { GroupQuery, GroupRow, MeasureParts } from '#contract/record-queries.ts';
import { selectionOf } from './find.ts';
import { fromStored, isMark, LIST_SQL } from './values.ts';
import { fieldValue, sortable, type Value } from './where.ts';

/** All groups of a selection, in no order. A list counts once under each of its different elements (rules.md: records 8). */
export function groupRecords(database: DatabaseSync, query: GroupQuery): GroupRow[] {
  const selection = selectionOf(database, query);
  if (!selection) return query.group_by.length === 0 ? [emptyGroup(query.measures)] : [];
  const grouped = query.group_by.map((field, i) => groupedValue(fieldValue(database, field), i));
  const measured = query.measures.map((measure, i) => partsOf(database, measure, i));
  // A count makes one group of all also where nothing is measured.
  const columns = [
    'count(*) AS records',
    ...grouped.map(({ expression }, i) => `${expression} AS g${i}`),
    ...measured.flat(),
  ];
  const rows = database
    .prepare(
      `SELECT ${columns.join(', ')} FROM ${selection.from} ${grouped.map(({ join }) => join).join(' ')} ${selection.where}
       ${grouped.length > 0 ? `GROUP BY ${grouped.map((_, i) => `g${i}`).join(', ')}` : ''}`,
    )
    .all(...selection.values);
  return rows.map((row) => ({
    values: grouped.map((_, i) => fromStored(row[`g${i}`])),
    measures: query.measures.map((_, i) => readParts(row, i)),
  }));
}

function emptyGroup(measures: Measure[]): GroupRow {
  return { values: [], measures: measures.map(() => ({ count: 0, sum: null, number: null, text: null })) };
}

function groupedValue({ expression, lists }: Value, i: number): { expression: string; join: string } {
  if (lists === undefined)
    return { expression: `(CASE WHEN ${isMark(expression)} THEN NULL ELSE ${expression} END)`, join: '' };
  return {
    expression: `(CASE WHEN ${isMark(expression)} THEN l${i}.value ELSE ${expression} END)`,
    join: `LEFT JOIN elements l${i} ON l${i}.rid = r.rid AND l${i}.slot = ${lists} AND ${expression} = ${LIST_SQL}`,
  };
}

/** The columns of a measure: its parts, from which the measure of merged groups can still be made. */
function partsOf(database: DatabaseSync, { op, field }: Measure, i: number): string[] {
  if (field === undefined) return [`count(*) AS m${i}_count`];
  const value = fieldValue(database, field);
  if (op === 'count') return [`count(${value.expression}) AS m${i}_count`];
  const scalar = sortable(value);
  const number = `CASE WHEN typeof(${scalar}) IN ('integer', 'real') THEN ${scalar} END`;
  if (op === 'sum' || op === 'avg') return [`count(${number}) AS m${i}_count`, `sum(${number}) AS m${i}_sum`];
  const text = `CASE WHEN typeof(${scalar}) = 'text' THEN ${scalar} END`;
  return [
    `count(${scalar}) AS m${i}_count`,
    `${op}(${number}) AS m${i}_number`,
    `${op}(${text}) AS m${i}_text`,
  ];
}

function readParts(row: Record<string, unknown>, i: number): MeasureParts {
  const [sum, number, text] = [row[`m${i}_sum`], row[`m${i}_number`], row[`m${i}_text`]];
  return {
    count: Number(row[`m${i}_count`]),
    sum: typeof sum === 'number' ? sum : null,
    number: typeof number === 'number' ? number : null,
    text: typeof text === 'string' ? text : null,
  };
}
