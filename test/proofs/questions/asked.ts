// Questions by their kind, and the true answers to them over typed items, in plain code.
import type { JsonObject } from '#contract/json.ts';
import type { Row, Truth } from '#domain/evaluation/truth.ts';

/** What a question asks for; the report counts by it. */
export type Kind =
  | 'list'
  | 'count'
  | 'top'
  | 'measure'
  | 'bounds'
  | 'negative number'
  | 'date'
  | 'group'
  | 'having'
  | 'or'
  | 'not'
  | 'values'
  | 'script'
  | 'code'
  | 'unit'
  | 'presence'
  | 'name'
  | 'measure of the first'
  | 'rank'
  | 'best of each'
  | 'relation'
  | 'approximate'
  | 'mixed field'
  | 'unknown';

type Right = NonNullable<Truth>;

/**
 * A question with its true answer, or several of which each is true. A text means that no plan answers it: it is refused,
 * or one of these words (between |) is named.
 */
export type Asked = readonly [kind: Kind, text: string, answer: Right | readonly Right[] | string];

/** Records and what is asked of them. */
export interface Vocabulary {
  name: string;
  rows: Row[];
  asked: readonly Asked[];
}

/** Typed items as records of a type. */
export function rowsOf<T extends { name: string }>(type: string, items: readonly T[]): Row[] {
  return items.map(({ name, ...fields }) => ({ type, name, fields: fieldsOf(fields) }));
}

/** The fields as the JSON that an import reads. */
const fieldsOf = (fields: object): JsonObject => JSON.parse(JSON.stringify(fields));

type Key<T> = (item: T) => number | string | undefined;

/** The ways to say what is true of items. */
export function truthsOver<T extends { name: string }>(items: readonly T[]) {
  const list = (keep: (item: T) => boolean = () => true): Right => ({
    kind: 'records',
    names: items.filter(keep).map(({ name }) => name),
    inOrder: false,
  });
  const ordered = (sign: 1 | -1) => {
    return (limit: number, key: Key<T>, keep: (item: T) => boolean = () => true): Right => ({
      kind: 'records',
      names: items
        .filter((item) => keep(item) && key(item) !== undefined)
        .toSorted((a, b) => sign * compare(key(a), key(b)))
        .slice(0, limit)
        .map(({ name }) => name),
      inOrder: true,
    });
  };
  const grouped = (by: (item: T) => string | readonly string[], keep: (item: T) => boolean) => {
    const groups = new Map<string, T[]>();
    for (const item of items.filter(keep))
      for (const name of [by(item)].flat()) groups.set(name, [...(groups.get(name) ?? []), item]);
    return [...groups];
  };
  return {
    list,
    count: (keep: (item: T) => boolean = () => true): Right => ({
      kind: 'number',
      number: items.filter(keep).length,
    }),
    top: ordered(-1),
    bottom: ordered(1),
    /** The sum, the average or an extreme of a number. */
    measure: (
      op: Op,
      key: (item: T) => number | undefined,
      keep: (item: T) => boolean = () => true,
    ): Right => ({
      kind: 'number',
      number: measured(op, items.filter(keep).map(key)),
    }),
    /** Groups of the items, counted, or measured by `of`. */
    groups: (
      by: (item: T) => string | readonly string[],
      of: (same: T[]) => number = (same) => same.length,
      keep: (item: T) => boolean = () => true,
      best?: { limit: number; sign: 1 | -1 },
    ): Right => {
      const all = grouped(by, keep).map(([name, same]) => [name, of(same)] as const);
      if (!best) return { kind: 'groups', groups: all, inOrder: false };
      const sorted = all.toSorted(
        ([left, a], [right, b]) => best.sign * compare(a, b) || compare(left, right),
      );
      return { kind: 'groups', groups: sorted.slice(0, best.limit), inOrder: true };
    },
    values: (
      by: (item: T) => string | readonly string[],
      keep: (item: T) => boolean = () => true,
    ): Right => ({ kind: 'values', names: grouped(by, keep).map(([name]) => name) }),
  };
}

type Op = 'sum' | 'avg' | 'min' | 'max';

/** A number over the values that there are. */
export function measured(op: Op, all: readonly (number | undefined)[]): number {
  const values = all.filter((value) => value !== undefined);
  if (op === 'min') return Math.min(...values);
  if (op === 'max') return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return op === 'sum' ? sum : sum / values.length;
}

function compare(a: number | string | undefined, b: number | string | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
}
