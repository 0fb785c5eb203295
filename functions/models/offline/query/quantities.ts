// Amounts in a query, with magnitude and unit, and as numbers of a field.
import { CURRENCIES, NUMBER_WORDS, SCALES, type Unit, unitNamed } from './lexicon.ts';
import type { NamedField } from './names.ts';
import { nounOf, type Token } from './tokens.ts';

export interface Quantity {
  value: number;
  /** What the value was multiplied by: 1e6 for "10 million". */
  scale: number;
  unit: Unit | undefined;
  length: number;
}

/** The amount at `i`: "5k", "$2 million", "5000 EUR", "20%", "three". */
export function quantityAt(tokens: readonly Token[], i: number): Quantity | undefined {
  const sign = tokens[i]?.kind === 'sign' ? unitNamed(tokens[i]?.word ?? '') : undefined;
  let at = sign ? i + 1 : i;
  const token = tokens[at];
  if (!token) return undefined;
  const number =
    token.kind === 'number'
      ? numberOf(token.word)
      : (NUMBER_WORDS.get(token.word) ?? (isCounting(tokens, at) ? 1 : undefined));
  if (number === undefined || (token.kind !== 'number' && sign)) return undefined;
  at += 1;
  const ordinal = tokens[at];
  if (ordinal?.start === token.end && /^(st|nd|rd|th|s)$/.test(ordinal.word)) return undefined;
  let scale = 1;
  for (let next = tokens[at]; next; next = tokens[at]) {
    const glued = next.start === token.end;
    const factor = SCALES.get(next.word);
    // A single letter is a magnitude next to the number: "5k", "10m".
    if (
      factor === undefined ||
      (next.word.length === 1 && (!glued || (next.word === 'm' && unitFollows(tokens, at))))
    )
      break;
    scale *= factor;
    at += 1;
    if (glued) break;
  }
  const after = tokens[at];
  const unit = after ? unitNamed(nounOf(after.word)) : undefined;
  const counts = unit !== undefined;
  return { value: number * scale, scale, unit: counts ? unit : sign, length: at - i + (counts ? 1 : 0) };
}

/** "with one room", "exactly one": elsewhere the word is rarely a number. */
export const isCounting = (tokens: readonly Token[], at: number) =>
  tokens[at]?.word === 'one' &&
  /^(with|has|have|having|exactly|only|least|most|than|of)$/.test(tokens[at - 1]?.word ?? '') &&
  tokens[at + 1]?.kind === 'word' &&
  !/^(or|and|of|that|which|who)$/.test(tokens[at + 1]?.word ?? '');

const GROUPED = /^-?\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/;
const DECIMAL_COMMA = /^-?\d+,\d+$/;

/** The number of a word: `20,5` is a decimal, `20,500` is grouped; undefined for what is neither. */
function numberOf(word: string): number | undefined {
  const signed = word.replace(/^[−–]/, '-').replace(/^\+/, '');
  if (GROUPED.test(signed)) return Number(signed.replace(/[,_]/g, ''));
  if (DECIMAL_COMMA.test(signed)) return Number(signed.replace(',', '.'));
  const value = Number(signed.replace(/_/g, ''));
  return Number.isNaN(value) ? undefined : value;
}

const unitFollows = (tokens: readonly Token[], at: number) =>
  (unitNamed(nounOf(tokens[at + 1]?.word ?? ''))?.measures ?? 'money') !== 'money';

const MILLIONS = new Map(
  Object.entries({
    ...{ million: 1e6, mn: 1e6, mio: 1e6, musd: 1e6, meur: 1e6 },
    ...{ billion: 1e9, bn: 1e9, thousand: 1e3, kusd: 1e3, keur: 1e3 },
  }),
);
const BARE_MAX = 1e5;
const SMALL_MAX = 1e5;

/** The amount in the unit of the field; undefined when the field is known to have another. */
export function inUnitOf(field: NamedField, { value, scale, unit }: Quantity): number | undefined {
  const own = field.words.flatMap((word) => unitNamed(word) ?? []);
  if (unit?.measures === 'share' && isShare(field)) return round(value / 100);
  if (unit && unit.measures !== 'money' && unit.measures !== 'pieces') {
    const fitting = own.find(({ measures }) => measures === unit.measures);
    if (fitting) return round((value * unit.factor) / fitting.factor);
    if (own.some(({ measures }) => measures !== unit.measures)) return undefined;
  }
  const magnitude = field.words.map((word) => MILLIONS.get(word)).find((known) => known !== undefined);
  const isBare = scale === 1 && value < BARE_MAX;
  if (magnitude !== undefined) return isBare ? value : round(value / magnitude);
  const largest = Math.max(Math.abs(field.low ?? 0), Math.abs(field.high ?? 0));
  return scale >= 1e6 && largest < SMALL_MAX && value > largest ? value / scale : value;
}

/** A field of parts of one, such as a ratio. */
const isShare = ({ low = 0, high = 0 }: NamedField) => low >= -1 && high <= 1;

const round = (value: number) => Number(value.toPrecision(12));

/** Whether the unit says something that the field's name confirms or leaves open. */
export function agrees(field: NamedField, unit: Unit | undefined): boolean {
  if (unit?.measures !== 'money') {
    if (unit === undefined || unit.measures === 'pieces') return true;
    const own = field.words.flatMap((word) => unitNamed(word) ?? []);
    return own.length === 0
      ? BASE_UNITS.has(unit.word)
      : own.some(({ measures }) => measures === unit.measures);
  }
  const own = CURRENCIES.find((names) => field.words.some((word) => names.has(word)));
  return own === undefined || own.has(unit.word);
}

/** Units that a number without one is most likely in. */
const BASE_UNITS = new Set(
  'kg kilo kilogram km kilometer kilometre year yr percent % pct star sqm m2 m² m meter metre hp kw ps day'.split(
    ' ',
  ),
);
