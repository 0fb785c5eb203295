// Conditions as SQL: fields by slot, values bound, no text of a client in the statement.
import type { DatabaseSync } from 'node:sqlite';
import { type Condition, readField, type Where } from '#contract/conditions.ts';
import { COLUMN_TEXT_CHARACTERS, type Field, findField, hasColumn, hasKind, hasLongText } from './fields.ts';
import { isMark, type Stored, toStored } from './values.ts';

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
  return { expression: expressionOf(field), lists: hasKind(field, 'list') ? field.slot : undefined };
}

function expressionOf(field: Field): string {
  const wide = `(SELECT w.value FROM wide w WHERE w.rid = r.rid AND w.slot = ${field.slot})`;
  if (!hasColumn(field)) return wide;
  const column = `r.c${field.slot}`;
  if (!hasLongText(field)) return column;
  return `(CASE WHEN typeof(${column}) = 'text' AND length(${column}) >= ${COLUMN_TEXT_CHARACTERS / 2} THEN ifnull(${wide}, ${column}) ELSE ${column} END)`;
}

/** The value by which a field sorts: lists and objects are absent. */
export function sortable({ expression }: Value): string {
  return `(CASE WHEN ${isMark(expression)} THEN NULL ELSE ${expression} END)`;
}

/** A condition as SQL that is 0 or 1, never NULL. */
export function compileWhere(database: DatabaseSync, where: Where): Sql {
  if ('and' in where)
    return joined(
      where.and.map((one) => compileWhere(database, one)),
      ' AND ',
    );
  if ('or' in where)
    return joined(
      where.or.map((one) => compileWhere(database, one)),
      ' OR ',
    );
  if ('not' in where) {
    const inner = compileWhere(database, where.not);
    return { text: `(NOT ${inner.text})`, values: inner.values };
  }
  return compileCondition(fieldValue(database, where.field), where);
}

function joined(parts: Sql[], connective: string): Sql {
  return {
    text: `(${parts.map(({ text }) => text).join(connective)})`,
    values: parts.flatMap(({ values }) => values),
  };
}

function compileCondition(value: Value, condition: Condition): Sql {
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
    case '>=': {
      const kinds = typeof condition.value === 'number' ? "('integer', 'real')" : "('text')";
      return {
        text: `(typeof(${value.expression}) IN ${kinds} AND ${value.expression} ${condition.op} ?)`,
        values: [condition.value],
      };
    }
    case 'contains':
      return any(value, (expression) => textTest(expression, condition.value, 'instr', 'contains_text'));
    case 'starts_with':
      return any(value, (expression) => textTest(expression, condition.value, 'instr1', 'starts_with_text'));
    case 'exists':
      return { text: `(${value.expression} IS ${condition.value ? 'NOT ' : ''}NULL)`, values: [] };
  }
}

function equals(expression: string, value: string | number | boolean): Sql {
  return { text: `(${expression} IS ?)`, values: [toStored(value)] };
}

/** SQLite's lower case is right for ASCII; only other texts need the slower function. */
function textTest(expression: string, part: string, test: 'instr' | 'instr1', slow: string): Sql {
  const lowered = part.toLowerCase();
  const fast = `instr(lower(${expression}), ?) ${test === 'instr' ? '> 0' : '= 1'}`;
  return {
    text: `(typeof(${expression}) = 'text' AND (CASE WHEN length(${expression}) = octet_length(${expression}) THEN ${fast} ELSE ${slow}(${expression}, ?) END))`,
    values: [lowered, lowered],
  };
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
