// Conditions as SQL: fields by slot, values bound, no text of a client in the statement.

import type { DatabaseSync } from 'node:sqlite';
import { type Condition, membersOf, readField, type Where } from '#contract/conditions.ts';
import { separatorFor } from '#platform/folded-text.ts';
import { type Field, findField, hasColumn, hasKind, hasLongText } from './field-slots.ts';
import { foldedTexts } from './folded-text-sql.ts';
import { isMark, LONG_SQL, type Stored, toStored } from './stored-values.ts';

/** A piece of SQL over the table `records` as `r`, and its bound values in order. */
export interface Sql {
  text: string;
  values: Stored[];
}

/**
 * The meaning of a field's name: an expression that is NULL when absent, and the slot when the field may contain lists.
 */
export interface Value {
  expression: string;
  lists: number | undefined;
}

/** The value of a field (rules.md: records 2). A field that no record ever had is NULL. */
export function fieldValue(database: DatabaseSync, name: string): Value {
  const named = readField(name);
  if ('attribute' in named) return { expression: `r.${named.attribute}`, lists: undefined };
  const field = findField(database, named.path);
  if (!field) return { expression: 'NULL', lists: undefined };
  const hasLists = hasKind(field, 'list');
  return { expression: expressionOf(field), lists: hasLists ? field.slot : undefined };
}

function expressionOf(field: Field): string {
  const wide = `(SELECT w.value FROM wide w WHERE w.rid = r.rid AND w.slot = ${field.slot})`;
  if (!hasColumn(field)) return wide;
  const column = `r.c${field.slot}`;
  if (!hasLongText(field)) return column;
  return `(CASE WHEN ${column} = ${LONG_SQL} THEN ${wide} ELSE ${column} END)`;
}

/** The value by which a field sorts: lists and objects are absent. */
export function sortable({ expression }: Value): string {
  return `(CASE WHEN ${isMark(expression)} THEN NULL ELSE ${expression} END)`;
}

/** A condition as SQL that is 0 or 1, never NULL. */
export function compileWhere(database: DatabaseSync, where: Where): Sql {
  const members = membersOf(where);
  const others = members.filter((member) => searchedTexts(member).length === 0);
  const searches = members.filter((member) => searchedTexts(member).length > 0);
  // Apart, so that the texts of a record that the others reject are not folded.
  return join(
    [others, searches].filter(({ length }) => length > 0).map((some) => compileMembers(database, some)),
    ' AND ',
  );
}

/** The lower-case texts that a condition searches. */
function searchedTexts(where: Where): string[] {
  if ('and' in where) return where.and.flatMap(searchedTexts);
  if ('or' in where) return where.or.flatMap(searchedTexts);
  if ('not' in where) return searchedTexts(where.not);
  return isSearch(where) ? [where.value.toLowerCase()] : [];
}

type Search = Extract<Condition, { op: 'contains' | 'starts_with' }>;
const isSearch = (condition: Condition): condition is Search =>
  condition.op === 'contains' || condition.op === 'starts_with';

/** The members, which must all hold. */
function compileMembers(database: DatabaseSync, members: Where[]): Sql {
  const separator = separatorFor(members.flatMap(searchedTexts));
  const columns = new Map<string, string>();
  const search = (value: Value, { op, value: sought }: Search): Sql => {
    const texts = foldedTexts(value, separator);
    const column = columns.get(texts) ?? `t${columns.size}`;
    columns.set(texts, column);
    const lowered = sought.toLowerCase();
    const text = `ifnull(instr(folded.${column}, ?) > 0, 0)`;
    return { text, values: [op === 'contains' ? lowered : separator + lowered] };
  };
  const test = join(
    members.map((member) => compile(member, { database, search })),
    ' AND ',
  );
  if (columns.size === 0) return test;
  const folded = [...columns].map(([texts, column]) => `${texts} AS ${column}`).join(', ');
  // SQLite does not merge a select without FROM into the outer one, so each column is evaluated once per record.
  return { text: `(SELECT ${test.text} FROM (SELECT ${folded}) folded)`, values: test.values };
}

interface Compiling {
  database: DatabaseSync;
  search(value: Value, condition: Search): Sql;
}

function compile(where: Where, compiling: Compiling): Sql {
  if ('and' in where)
    return join(
      where.and.map((one) => compile(one, compiling)),
      ' AND ',
    );
  if ('or' in where)
    return join(
      where.or.map((one) => compile(one, compiling)),
      ' OR ',
    );
  if ('not' in where) {
    const inner = compile(where.not, compiling);
    return { text: `(NOT ${inner.text})`, values: inner.values };
  }
  const value = fieldValue(compiling.database, where.field);
  return isSearch(where) ? compiling.search(value, where) : compileCondition(value, where);
}

function join(parts: Sql[], connective: string): Sql {
  return {
    text: `(${parts.map(({ text }) => text).join(connective)})`,
    values: parts.flatMap(({ values }) => values),
  };
}

function compileCondition(value: Value, condition: Exclude<Condition, Search>): Sql {
  switch (condition.op) {
    case '=':
      return any(value, (expression) => equals(expression, condition.value));
    case '!=': {
      const equal = any(value, (expression) => equals(expression, condition.value));
      return { text: `(NOT ${equal.text})`, values: equal.values };
    }
    case 'in':
      return any(value, (expression) => ({
        text: `ifnull(${expression} IN (${condition.value.map(() => '?').join(', ')}), 0)`,
        values: condition.value.map(toStored),
      }));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { text: comparison(value.expression, condition), values: [condition.value] };
    case 'exists':
      return { text: `(${value.expression} IS ${condition.value ? 'NOT ' : ''}NULL)`, values: [] };
  }
}

/** Values of the other kind do not compare: SQLite orders numbers before texts before blobs. */
function comparison(expression: string, { op, value }: { op: string; value: string | number }): string {
  const isUpward = op.startsWith('>');
  const bound = typeof value === 'number' ? isUpward && "< ''" : isUpward ? "< x''" : ">= ''";
  const compared = `${expression} ${op} ?`;
  return `ifnull(${bound ? `${compared} AND ${expression} ${bound}` : compared}, 0)`;
}

function equals(expression: string, value: string | number | boolean): Sql {
  return { text: `(${expression} IS ?)`, values: [toStored(value)] };
}

/** True for the value itself or, when it may be a list, for one of its elements. */
function any(value: Value, test: (expression: string) => Sql): Sql {
  const own = test(value.expression);
  if (value.lists === undefined) return own;
  const element = test('e.value');
  return {
    text: `(${own.text} OR EXISTS (SELECT 1 FROM elements e WHERE e.rid = r.rid AND e.slot = ${value.lists} AND ${element.text}))`,
    values: [...own.values, ...element.values],
  };
}
