// Times in a question: "in 2025", "since March 2021", "from May to July", "June and July 2026".
import type { Where } from '#contract/conditions.ts';
import { comparisonAt, FLIPPED } from './amounts.ts';
import { type Side, type Span, spanAt, timeCondition } from './dates.ts';
import { AFTER_AMOUNT, OF_TIME } from './lexicon.ts';
import { datedField, isDated, type NamedField, only } from './names.ts';
import { quantityAt } from './quantities.ts';
import { ARTICLES, past, phraseAt, remembered, type Text, wordAt } from './text.ts';

type Period = Pick<Span, 'from' | 'to'>;

/** A time that is said: one of several periods, or a side of one. */
export interface Time {
  end: number;
  side: Side;
  periods: readonly Period[];
  /** Its words speak of time, or a word that leads to times stands before it. */
  isTime: boolean;
}

/** Words that may stand before a time. */
const BEFORE_TIMES: ReadonlySet<string> = new Set(
  'in on during within of for at throughout over the year dated'.split(' '),
);
const RANGE_JOINTS = /^(?:to|until|till|through|-|–)$/;

/** The times that can be read at `i`, of which "older" and "newer" are sides too. */
export const timesAt = remembered((text: Text, i: number): Time[] => {
  return [rangeAt(text, i), comparedAt(text, i), byAt(text, i), periodsAt(text, i)].flatMap(
    (one) => one ?? [],
  );
});

const spanIn = ({ tokens, today }: Text, i: number) => spanAt(tokens, i, today);

/** "between January and March 2025", "from 2010 to 2015". */
function rangeAt(text: Text, i: number): Time | undefined {
  const lead = wordAt(text, i);
  const isLed = lead === 'between' || lead === 'from';
  const from = isLed ? past(text, i + 1, ARTICLES) : i;
  const low = spanIn(text, from);
  const joint = wordAt(text, from + (low?.length ?? 0)).trim();
  if (!low || !(RANGE_JOINTS.test(joint) || (lead === 'between' && joint === 'and'))) return undefined;
  const at = from + low.length + 1;
  const high = spanIn(text, at);
  if (!high) return undefined;
  const isOfYear = low.length === 1 && !low.isYear && /^\d{4}$/.test(wordAt(text, at + high.length - 1));
  const first = isOfYear ? sameYear(low, high.from) : low.from;
  return {
    end: at + high.length,
    side: 'eq',
    periods: [{ from: first, to: high.to }],
    isTime: isLed || !low.isYear,
  };
}

/** The month as of the year that follows it. */
function sameYear({ from }: Span, before: number): number {
  const [month, year] = [new Date(from).getUTCMonth(), new Date(before).getUTCFullYear()];
  return Date.UTC(year, month, 1) <= before ? Date.UTC(year, month, 1) : Date.UTC(year - 1, month, 1);
}

/** "since 2015", "before March", "after 5 May 2021"; "from 2025" is in 2025, "from 2025 on" has no end. */
function comparedAt(text: Text, i: number): Time | undefined {
  const found = comparisonAt(text, i);
  if (!found) return undefined;
  const at = past(text, i + found.length, ARTICLES);
  const span = spanIn(text, at);
  if (!span) return undefined;
  const end = at + span.length;
  const [first, last] = [wordAt(text, i), wordAt(text, i + found.length - 1)];
  const on = /^(on|onward|onwards)$/.test(wordAt(text, end)) && first === 'from' ? 1 : 0;
  const isFrom = first === 'from' && on === 0;
  const isOfField = text.tokens[i - 1] !== undefined && isNamedFrom(text, i);
  return {
    end: end + on,
    side: isFrom && !isOfField ? 'eq' : found.dimension === 'age' ? FLIPPED[found.side] : found.side,
    periods: [span],
    isTime: found.dimension === 'age' || OF_TIME.has(last) || OF_TIME.has(first) || first === 'from',
  };
}

/** "free from 1 September": the field itself says from. */
const isNamedFrom = (text: Text, i: number) =>
  text.fields.some(({ words }) => words.includes('from') && words.includes(wordAt(text, i - 1)));

/** "by 2026-05-31": at the latest then. */
function byAt(text: Text, i: number): Time | undefined {
  const at = past(text, i + 1, ARTICLES);
  const span = wordAt(text, i) === 'by' ? spanIn(text, at) : undefined;
  return span && { end: at + span.length, side: 'lte', periods: [span], isTime: true };
}

/** "in 2025", "on 5 March 2021", "last month", "2015 or later", "June and July 2026". */
function periodsAt(text: Text, i: number): Time | undefined {
  const from = past(text, i, BEFORE_TIMES);
  const first = spanIn(text, from);
  if (!first || wordAt(text, from + first.length) === 'ago') return undefined;
  // "over 2000" is more than that, "over the last month" is in it.
  if (first.isYear && wordAt(text, from - 1) === 'over') return undefined;
  const isMonthAlone = first.length === 1 && /^(may|march)$/.test(wordAt(text, from)) && from === i;
  if (isMonthAlone || (first.isYear && from === i && quantityAt(text.tokens, from)?.unit)) return undefined;
  const after = phraseAt(text, from + first.length, AFTER_AMOUNT);
  const isTime = from > i || !first.isYear;
  if (after) {
    const end = from + first.length + after.length;
    return {
      end,
      side: after.meaning,
      periods: [first],
      isTime: isTime || OF_TIME.has(wordAt(text, end - 1)),
    };
  }
  const periods: Span[] = [first];
  let end = from + first.length;
  for (;;) {
    const at = past(text, end, LISTING);
    const next = at > end ? spanIn(text, past(text, at, BEFORE_TIMES)) : undefined;
    // "Ratings 2010 and 5": another number is no time.
    if (!next || next.isYear !== first.isYear) break;
    periods.push(next);
    end = past(text, at, BEFORE_TIMES) + next.length;
  }
  return { end, side: 'eq', periods, isTime };
}

const LISTING: ReadonlySet<string> = new Set(['and', 'or', ',', '&']);

/** The field that times are of where none is named. */
export function timeField({ fields, types }: Text, { periods }: Time): NamedField | undefined {
  const moments = periods.flatMap(({ from, to }) => [from, to]);
  const areYears = moments.every((at) => new Date(at).toISOString().slice(4, 10) === '-01-01');
  return (
    datedField(fields, types) ?? (areYears ? only(fields.filter(({ dated }) => dated === 'year')) : undefined)
  );
}

/** The condition that the field is of this time; undefined where it is too coarse to tell. */
export function timeOn(field: NamedField, { side, periods }: Time): Where | undefined {
  if (!isDated(field)) return undefined;
  const all = periods.map((period) => timeCondition(field, side, period));
  if (all.some((one) => one === undefined)) return undefined;
  const wheres = all.flatMap((one) => one ?? []);
  return only(wheres) ?? { or: wheres };
}
