// What a plan's params say, as flat facts: conditions with their negations resolved, orders, groups, measures, limit.
import { type FieldSort, fieldOfGroup, type Measure, type Where } from '#contract/conditions.ts';
import type { FetchParams } from '#domain/evaluation/records-to-ask.ts';

export interface Condition {
  field: string;
  op: string;
  values: (string | number | boolean)[];
  negated: boolean;
}

export interface PlanFacts {
  types: string[];
  conditions: Condition[];
  /** Conditions that must all hold. */
  together: Condition[];
  sort: FieldSort[];
  measures: Measure[];
  group_by: string[];
  limit: number | undefined;
  texts: string[];
  numbers: number[];
}

export function factsOf(params: FetchParams, names: readonly string[]): PlanFacts {
  const conditions = params.where ? conditionsIn(params.where, false) : [];
  const values = conditions.flatMap((one) => one.values);
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const { limit, sort = [], measures = [], group_by = [], entity_types = [] } = params;
  return {
    ...{ types: entity_types, conditions, sort, measures, limit, numbers },
    group_by: group_by.map(fieldOfGroup),
    together: params.where ? together(params.where) : [],
    texts: params.entities ? [...texts, ...names] : texts,
  };
}

/** A time in epoch milliseconds as a date. */
const readable = <V>(value: V): V | string =>
  typeof value === 'number' && value > 1e11 ? new Date(value).toISOString() : value;

function conditionsIn(where: Where, negated: boolean): Condition[] {
  if ('and' in where) return where.and.flatMap((one) => conditionsIn(one, negated));
  if ('or' in where) return where.or.flatMap((one) => conditionsIn(one, negated));
  if ('not' in where) return conditionsIn(where.not, !negated);
  const { field, op, value } = where;
  return [{ field, op, negated, values: (Array.isArray(value) ? value : [value]).map(readable) }];
}

function together(where: Where): Condition[] {
  if ('and' in where) return where.and.flatMap(together);
  if ('or' in where) return [];
  return 'not' in where && ('and' in where.not || 'or' in where.not) ? [] : conditionsIn(where, false);
}

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}/.test(value);

/** The direction of a comparison of order; 0 for a date, whose age runs the other way, and for others null. */
function directionOf({ op, negated, values }: Condition): 1 | -1 | 0 | null {
  if (!/^[<>]/.test(op)) return null;
  if (values.some(isDate)) return 0;
  return op.startsWith('>') !== negated ? 1 : -1;
}

/** How many comparisons of order there are: greater, smaller, and of dates. */
export function bounds({ conditions }: PlanFacts): { greater: number; smaller: number; dates: number } {
  const of = (sign: 1 | -1 | 0) => conditions.filter((one) => directionOf(one) === sign).length;
  return { greater: of(1), smaller: of(-1), dates: of(0) };
}

const NEGATIVE = /\b(no|not|non|none|never|without|un\w+|in\w+|out|closed|cancel\w*|dis\w+)\b/i;

/** Whether the plan denies something. */
export function denies({ conditions }: PlanFacts): boolean {
  return conditions.some(
    ({ op, values, negated }) =>
      negated ||
      op === '!=' ||
      values.some(
        (value) => value === false || value === 0 || (typeof value === 'string' && NEGATIVE.test(value)),
      ) ||
      (op === '<' && values[0] === 1),
  );
}

/** Whether a time has an end and a beginning, or is one value. */
export function hasWholePeriod({ conditions }: PlanFacts): boolean {
  const ops = conditions.filter(isOfTime).map(({ op }) => op[0]);
  return ops.some((op) => op !== '<' && op !== '>') || (ops.includes('<') && ops.includes('>'));
}

export const isOfTime = ({ values }: Condition): boolean =>
  values.some((value) => isDate(value) || (typeof value === 'number' && isYear(value)));

export const hasDate = ({ conditions }: PlanFacts): boolean => conditions.some(isOfTime);
const isYear = (value: number) => (Number.isInteger(value) && value >= 1000 && value <= 2100) || value > 1e11;

/** A field that must be two things at once, which no record is. */
export function contradiction({ together: all }: PlanFacts, lists: ReadonlySet<string>): string | undefined {
  for (const [field, same] of Map.groupBy(all, (one) => one.field)) {
    if (lists.has(field)) continue;
    const sets = same.filter(({ op }) => op === '=' || op === 'in');
    const [first, ...rest] = sets.filter(({ negated }) => !negated).map(({ values }) => values);
    if (first?.every((value) => !rest.every((set) => set.includes(value)))) return field;
    const denied = sets.filter(({ negated }) => negated).flatMap(({ values }) => values);
    if (first?.every((value) => denied.includes(value))) return field;
    const plain = same.filter(({ negated }) => !negated);
    const low = plain.filter(({ op }) => op.startsWith('>'));
    const high = plain.filter(({ op }) => op.startsWith('<'));
    if (low.some((least) => high.some((most) => isEmpty(least, most)))) return field;
  }
  return undefined;
}

function isEmpty(low: Condition, high: Condition): boolean {
  const [[least = ''], [most = '']] = [low.values, high.values];
  if (typeof least !== typeof most) return false;
  return least > most || (least === most && (low.op === '>' || high.op === '<'));
}
