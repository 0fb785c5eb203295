// The ways to compute the true answer to a question from the records, in plain code.
import type { Row, Truth } from '#domain/evaluation/truth.ts';

/** A field's value by its dotted path. */
export function at({ fields }: Row, path: string): unknown {
  let value: unknown = fields;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
export const text = (row: Row, path: string): string => String(at(row, path) ?? '');
/** NaN without one, which no comparison accepts. */
export const number = (row: Row, path: string): number => {
  const value = at(row, path);
  return typeof value === 'number' ? value : Number.NaN;
};
export const has = (row: Row, path: string, element: string): boolean => {
  const value = at(row, path);
  return Array.isArray(value) && value.includes(element);
};

type Keep = (row: Row) => boolean;
const everyRow: Keep = () => true;

/** The ways to say what is true of the rows of one type. */
export function truthsOf(rows: readonly Row[], type: string) {
  const own = rows.filter((row) => row.type === type);
  const ordered = (path: string, direction: 'asc' | 'desc', keep: Keep) =>
    own
      .filter((row) => keep(row) && at(row, path) !== undefined)
      .toSorted((a, b) => compare(at(a, path), at(b, path)) * (direction === 'asc' ? 1 : -1));
  return {
    list: (keep: Keep = everyRow): Truth => ({
      kind: 'records',
      names: own.filter(keep).map(({ name }) => name),
      inOrder: false,
    }),
    count: (keep: Keep = everyRow): Truth => ({ kind: 'number', number: own.filter(keep).length }),
    top: (limit: number, path: string, direction: 'asc' | 'desc' = 'desc', keep: Keep = everyRow): Truth => ({
      kind: 'records',
      names: ordered(path, direction, keep)
        .slice(0, limit)
        .map(({ name }) => name),
      inOrder: true,
    }),
    measure: (op: Op, path: string, keep: Keep = everyRow): Truth => ({
      kind: 'number',
      number: measured(op, own.filter(keep), path),
    }),
    groups: (
      by: GroupedBy,
      op: Op | 'count' = 'count',
      path = '',
      keep: Keep = everyRow,
      best?: { limit: number; direction?: 'asc' | 'desc' },
    ): Truth => {
      const groups = groupsOf(own.filter(keep), by).map(
        ([name, same]) => [name, op === 'count' ? same.length : measured(op, same, path)] as const,
      );
      const sorted = groups.toSorted(
        ([left, a], [right, b]) => (best?.direction === 'asc' ? a - b : b - a) || compare(left, right),
      );
      return { kind: 'groups', groups: sorted.slice(0, best?.limit), inOrder: best !== undefined };
    },
    values: (by: string, keep: Keep = everyRow): Truth => ({
      kind: 'values',
      names: groupsOf(own.filter(keep), by).map(([name]) => name),
    }),
  };
}

/** A field, or what is made of a record. */
type GroupedBy = string | ((row: Row) => string);

type Op = 'sum' | 'avg' | 'min' | 'max';

function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a) < String(b)
      ? -1
      : Number(String(a) > String(b));
}

function groupsOf(rows: readonly Row[], by: GroupedBy): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const value = typeof by === 'string' ? at(row, by) : by(row);
    for (const name of Array.isArray(value)
      ? new Set(value.map(String))
      : [value === undefined ? '(none)' : String(value)])
      groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups];
}

function measured(op: Op, rows: readonly Row[], path: string): number {
  const values = rows.map((row) => number(row, path)).filter((value) => !Number.isNaN(value));
  if (op === 'min') return Math.min(...values);
  if (op === 'max') return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return op === 'sum' ? sum : sum / values.length;
}
