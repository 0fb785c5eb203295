// Parses numbers, dates and comparisons: "more than 10 million", "between 2015 and 2020", "since March 2021".
import type { Json } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { fold } from '#platform/words.ts';

/** A number as written; `scale` is 1e6 for "10 million", and `value` is already scaled. */
export interface Amount {
  value: number;
  scale: number;
  /** The first and last millisecond, when the amount is a day, month or year. */
  span?: { from: number; to: number };
}

const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  tsd: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  mm: 1e6,
  million: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  billions: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Every repetition is bounded, so that a search takes linear time. */
const AMOUNT_TEXT =
  String.raw`(?:\d{4}-\d{2}(?:-\d{2})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,9}\.?\s{1,9}\d{4}|` +
  String.raw`(?<![\w.])-?[$€£]?\s?\d[\d,_]{0,30}(?:\.\d{1,30})?\s?(?:(?:k|thousand|tsd|mm|mn|mio|millions?|m|bn|billions?|b|tn|trillion|t)\b|%)?)`;

/** Phrases before an amount, longest first, with the side they leave open. */
const BEFORE: [string, 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq'][] = [
  [
    '(?:no|not) (?:less|fewer|lower|smaller) than|at least|a minimum of|minimum(?: of)?|min\\.?|>=|≥|since|from|starting(?: from)?|as of',
    'gte',
  ],
  [
    '(?:no|not) (?:more|greater|higher|larger|bigger) than|at most|up to|a maximum of|maximum(?: of)?|max\\.?|<=|≤|until|till',
    'lte',
  ],
  ['!=|<>|≠|not equal to|is not|not exactly', 'neq'],
  [
    '(?:more|greater|higher|larger|bigger|later|newer|younger) than|over|above|exceeding|exceeds?|beyond|upwards of|after|>',
    'gt',
  ],
  ['(?:less|fewer|lower|smaller|earlier) than|under|below|before|prior to|<', 'lt'],
  ['exactly|equals?(?: to)?|equal to|==?', 'eq'],
];
/** Phrases after an amount. */
const AFTER: [string, 'gte' | 'lte'][] = [
  ['\\+|(?:or|and) (?:more|above|over|higher|greater|later|newer|after)|plus', 'gte'],
  ['(?:or|and) (?:less|fewer|below|under|lower|earlier|before)', 'lte'],
];

/** A pattern of comparisons, with the amounts as its groups. */
interface Pattern {
  side: Comparison['side'];
  /** Finds the next match. */
  ahead: RegExp;
  /** Matches at the start only. */
  here: RegExp;
}

function patternOf(side: Pattern['side'], source: string): Pattern {
  return { side, ahead: new RegExp(source, 'i'), here: new RegExp(source, 'iy') };
}

/** Of two that match the same text, the first wins. */
const PATTERNS: Pattern[] = [
  patternOf(
    'between',
    String.raw`(?:\bbetween|\bfrom)\s{1,9}(${AMOUNT_TEXT})\s{1,9}(?:and|to|until)\s{1,9}(${AMOUNT_TEXT})`,
  ),
  ...AFTER.map(([phrase, side]) => patternOf(side, String.raw`(${AMOUNT_TEXT})\s{0,9}(?:${phrase})(?!\w)`)),
  ...BEFORE.map(([phrase, side]) => patternOf(side, String.raw`(?<!\w)(?:${phrase})\s{0,9}(${AMOUNT_TEXT})`)),
];

/** A comparison in a text: its position and what it demands. */
export interface Comparison {
  start: number;
  end: number;
  low?: Amount;
  high?: Amount;
  side: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between';
}

/**
 * The comparisons of a text from left to right, up to the limit (rules.md: offline 5); each begins as early and is as
 * long as possible. Matches found ahead are reused, so that the text is read once.
 */
export function comparisonsIn(text: string): Comparison[] {
  const found: Comparison[] = [];
  const ahead = new Map<Pattern, Comparison | undefined>();
  for (let from = 0; found.length < limits.instruction_comparisons_max; from = found.at(-1)?.end ?? from) {
    const rest = text.slice(from);
    const next = PATTERNS.flatMap((pattern) => {
      const known = ahead.get(pattern);
      if (!ahead.has(pattern) || (known && known.start < from))
        ahead.set(pattern, comparisonOf(pattern, pattern.ahead.exec(rest), from));
      // A word may begin where the last comparison ended, even when it did not stand alone before.
      pattern.here.lastIndex = 0;
      return comparisonOf(pattern, pattern.here.exec(rest), from) ?? ahead.get(pattern) ?? [];
    }).sort((a, b) => a.start - b.start || b.end - a.end)[0];
    if (!next) break;
    found.push(next);
  }
  return found;
}

function comparisonOf(
  { side }: Pattern,
  match: RegExpExecArray | null,
  from: number,
): Comparison | undefined {
  if (!match) return undefined;
  const [all, low, high = low] = match;
  const start = from + match.index;
  return { start, end: start + all.length, side, low: amountOf(low), high: amountOf(high) };
}

/** Parses an amount, a day, a month with its year, or a year. */
export function amountOf(text: string | undefined): Amount | undefined {
  const plain = fold(text ?? '').trim();
  const day = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(plain);
  if (day) return spanned(Number(day[1]), Number(day[2]), day[3] ? Number(day[3]) : undefined);
  const month = /^([a-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(plain);
  if (month) return spanned(Number(month[2]), MONTHS.indexOf(month[1] ?? '') + 1);
  const number = /^(-?)[$€£]?\s?(\d[\d,_]*(?:\.\d+)?)\s?([a-z]*)%?$/.exec(plain);
  if (!number) return undefined;
  const scale = SCALES[number[3] ?? ''] ?? 1;
  const value = Number(`${number[1]}${(number[2] ?? '').replace(/[,_]/g, '')}`) * scale;
  return /^\d{4}$/.test(plain) && value >= 1000 ? { ...spanned(value), value } : { value, scale };
}

function spanned(year: number, month?: number, day?: number): Amount {
  const from = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  const next =
    month === undefined
      ? Date.UTC(year + 1, 0, 1)
      : Date.UTC(year, day ? month - 1 : month, day ? day + 1 : 1);
  return { value: from, scale: 1, span: { from, to: next - 1 } };
}

/** A field's value as a number, or as a moment (epoch ms) when it is a date; null when it is neither. */
export function quantityOf(value: Json): { number?: number; at?: number } | null {
  if (typeof value === 'number') {
    if (value > 1e11 && value < 1e13) return { number: value, at: value };
    return { number: value };
  }
  if (typeof value !== 'string') return null;
  if (/^\d{4}-\d{2}(-\d{2})?([T ].*)?$/.test(value)) {
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : { at };
  }
  const amount = amountOf(value);
  return amount === undefined
    ? null
    : amount.span && !/^\d{4}$/.test(value)
      ? { at: amount.value }
      : { number: amount.value };
}
