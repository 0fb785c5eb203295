// The periods that records are grouped by: "per month", "by week", "by month of founding".
import { type Period, periods } from '#contract/conditions.ts';
import { dateIn } from '#contract/grouped-values.ts';
import { datedField, fieldAt, isDated, type NamedField, only } from './names.ts';
import { ARTICLES, anyFieldAt, past, type Text, wordAt } from './text.ts';
import { nounOf } from './tokens.ts';

/** Groups of a field by a period of its dates; null: by its values, which are years. */
export interface GroupedTime {
  field: NamedField;
  period: Period | null;
  end: number;
}

/** The period that is named at `i`, unless a field is called so. */
function periodAt(text: Text, i: number): { period: Period; end: number } | undefined {
  const at = wordAt(text, i) === 'calendar' ? i + 1 : i;
  const noun = nounOf(wordAt(text, at));
  const period = periods.find((known) => known === noun);
  if (!period || anyFieldAt(text, i)?.by === 'name') return undefined;
  return { period, end: at + 1 };
}

/** The field as far as its values tell the period; undefined where they do not. */
function grouped(field: NamedField | undefined, period: Period): Omit<GroupedTime, 'end'> | undefined {
  if (field?.dated === 'year') return period === 'year' ? { field, period: null } : undefined;
  const areDates = field?.dated === 'moment' || field?.samples.every((text) => dateIn(text) !== undefined);
  return field && areDates ? { field, period } : undefined;
}

/** "orders shipped per month": the one date that the words before `i` name. */
export function datedBefore(text: Text, i: number): NamedField | undefined {
  for (const length of [2, 1]) {
    const named = fieldAt(text.tokens, i - length, text.fields, isDated);
    if (named?.length === length) return only(named.fields);
  }
  return undefined;
}

/**
 * "month", "month of founding", "founding month": of the field that is named with it, else of `dated`, else of the one
 * that records are dated by.
 */
export function timeGroupAt(text: Text, i: number, dated: NamedField | undefined): GroupedTime | undefined {
  const before = fieldAt(text.tokens, i, text.fields, isDated);
  const after = before && periodAt(text, i + before.length);
  const said = after ?? periodAt(text, i);
  if (!said) return undefined;
  const of = !after && wordAt(text, said.end) === 'of' ? past(text, said.end + 1, ARTICLES) : undefined;
  const behind = of === undefined ? undefined : fieldAt(text.tokens, of, text.fields, isDated);
  const named = after ? before : behind;
  const found = grouped(
    named ? only(named.fields) : (dated ?? datedField(text.fields, text.types)),
    said.period,
  );
  return found && { ...found, end: behind && of !== undefined ? of + behind.length : said.end };
}

/** Of two periods of one field the shorter one, whose groups also tell the longer one; weeks tell no month. */
export function shorter(left: Period | null, right: Period | null): Period | null {
  const [a, b] = [left, right].map((period) => (period === null ? periods.length : periods.indexOf(period)));
  return (a ?? 0) <= (b ?? 0) ? left : right;
}
