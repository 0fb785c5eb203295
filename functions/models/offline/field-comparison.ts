// A comparison with a number or time as a condition on one field, in the field's unit and date format.
import { nameOfPath, type Where } from '#contract/conditions.ts';
import type { OutlineField } from '#contract/record-queries.ts';
import { inFieldUnit } from './field-units.ts';
import { hasIsoDates, hasNumbers, isMoment } from './known-fields.ts';
import type { Amount, Comparison } from './numbers.ts';

const SIDES = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const EQUAL = { eq: '=', neq: '!=' } as const;

/** The condition; undefined when the field cannot be compared this way. */
export function comparisonOf(field: OutlineField, { side, low, high }: Comparison): Where | undefined {
  if (!low || !high) return undefined;
  const timed = low.span !== undefined && high.span !== undefined;
  if (timed && hasIsoDates(field)) return within(field, side, isoStart(low), isoEnd(high), isoEnd(low));
  if (!hasNumbers(field)) return undefined;
  if (timed && isMoment(field)) return within(field, side, startOf(low), endOf(high), endOf(low));
  if (low.value > YEAR_MAX && timed) return undefined;
  const [from, to] = [low, high].map((amount) => inFieldUnit(amount, low, field)).sort((a, b) => a - b);
  if (from === undefined || to === undefined) return undefined;
  const name = nameOfPath(field.path);
  if (side === 'between')
    return {
      and: [
        { field: name, op: '>=', value: from },
        { field: name, op: '<=', value: to },
      ],
    };
  if (side === 'eq' || side === 'neq') return { field: name, op: EQUAL[side], value: from };
  return { field: name, op: SIDES[side], value: from };
}

/** Days and months are not compared with numeric years. */
const YEAR_MAX = 1e10;

const startOf = ({ span, value }: Amount) => span?.from ?? value;
/** The first moment after the amount. */
const endOf = ({ span, value }: Amount) => (span ? span.to + 1 : value);
/** A year, month or day as an ISO prefix: every time within it sorts after it as text. */
const isoStart = (amount: Amount) => isoOf(startOf(amount));
const isoEnd = (amount: Amount) => isoOf(endOf(amount));
const isoOf = (at: number) =>
  new Date(at)
    .toISOString()
    .slice(0, 10)
    .replace(/(-01){1,2}$/, '');

/** A time from `from` up to but not including `to`; `lowTo` ends the first of two times. */
function within(
  { path }: OutlineField,
  side: Comparison['side'],
  from: string | number,
  to: string | number,
  lowTo: string | number,
): Where {
  const field = nameOfPath(path);
  switch (side) {
    case 'gt':
      return { field, op: '>=', value: lowTo };
    case 'gte':
      return { field, op: '>=', value: from };
    case 'lt':
      return { field, op: '<', value: from };
    case 'lte':
      return { field, op: '<', value: to };
    case 'neq':
      return { not: inside(field, from, to) };
    case 'eq':
    case 'between':
      return inside(field, from, to);
  }
}

function inside(field: string, from: string | number, to: string | number): Where {
  return {
    and: [
      { field, op: '>=', value: from },
      { field, op: '<', value: to },
    ],
  };
}
