// The numbers of a question, and whether a plan has them: as they stand, in another unit, or as a part of a date.
import type { PlanFacts } from './plan-facts.ts';

export interface NumberSaid {
  word: string;
  /** Readings: `1,000` is a thousand or one. */
  numbers: number[];
  isOrdinal: boolean;
  isPercent: boolean;
}

const WORDS: Record<string, number> = {
  ...{
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
  },
  ...{ twenty: 20, thirty: 30, fifty: 50, hundred: 100, dozen: 12 },
};
const MULTIPLES: Record<string, number> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, millions: 1e6, mio: 1e6 },
  ...{ bn: 1e9, b: 1e9, billion: 1e9 },
};
const NUMBER =
  /(?<![\p{L}\p{N}.,])([-−–](?=[\d.])|minus )?(\d[\d.,]*\d|\d)(?:\s?(k|m|bn|b|mio|thousand|millions?|billion)\b)?(st|nd|rd|th|\s?%|\s?percent\b)?/giu;

/** Units of one another: lengths, weights, times, money in small and large. */
const SCALES = [
  ...[-9, -6, -5, -4, -3, -2, 0, 2, 3, 4, 5, 6, 9].map((power) => 10 ** power),
  ...[60, 3600, 86_400, 24, 1440, 7, 12, 30, 52, 365, 365.25, 4.345].flatMap((one) => [
    one,
    1 / one,
    one * 1000,
    one / 1000,
  ]),
  ...[0.453_592_37, 1.609_344, 0.3048, 2.54, 30.48, 28.349_523, 0.9144, 3.785_411_784].flatMap((one) => [
    one,
    1 / one,
    one * 1000,
    1 / one / 1000,
    1000 / one,
  ]),
];

export function numbersIn(text: string): NumberSaid[] {
  const digits = [...text.matchAll(NUMBER)].map(([word, sign, body = '', multiple, ending = '']) => ({
    word: word.trim(),
    numbers: readings(body).map(
      (number) =>
        number * (MULTIPLES[multiple?.toLowerCase() ?? ''] ?? 1) * (isMinus(text, word, sign) ? -1 : 1),
    ),
    isOrdinal: /[a-z]/i.test(ending) && !ending.includes('percent'),
    isPercent: /%|percent/.test(ending),
  }));
  const words = [...text.toLowerCase().matchAll(/[a-z]+/g)].flatMap(([word]) => {
    const number = WORDS[word];
    return number === undefined ? [] : [{ word, numbers: [number], isOrdinal: false, isPercent: false }];
  });
  const one = /\b(?:with|exactly|has|have|having|only|at least|over) (one)\b/i.test(text)
    ? [{ word: 'one', numbers: [1], isOrdinal: false, isPercent: false }]
    : [];
  return [...digits, ...words, ...one];
}

/** Between two numbers the sign is a dash. */
function isMinus(text: string, word: string, sign: string | undefined): boolean {
  return sign !== undefined && !/\d\s?$/.test(text.slice(0, text.indexOf(word)));
}

function readings(body: string): number[] {
  const isGrouped = (sign: string) => new RegExp(String.raw`^\d{1,3}(?:[${sign}]\d{3})+(?!\d)`).test(body);
  const english = !body.includes(',') || isGrouped(',') ? Number(body.replaceAll(',', '')) : Number.NaN;
  const european =
    !body.includes('.') || isGrouped('.') ? Number(body.replaceAll('.', '').replace(',', '.')) : Number.NaN;
  return [english, european].filter((number) => !Number.isNaN(number));
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1e-9, Math.abs(b));

/** Whether the plan has the number, with its sign. */
export function hasNumber(
  { numbers, isOrdinal, isPercent, word }: NumberSaid,
  facts: PlanFacts,
  { today, shares }: { today: string; shares: ReadonlySet<string> },
): boolean {
  const { conditions, limit, texts } = facts;
  const own = conditions
    .filter(({ field }) => !isPercent || !shares.has(field))
    .flatMap(({ values }) => values)
    .filter((value) => typeof value === 'number');
  const ofShares = conditions
    .filter(({ field }) => isPercent && shares.has(field))
    .flatMap(({ values }) => values);
  const parts = texts.flatMap((text) => text.match(/\d+/g) ?? []).map(Number);
  return numbers.some(
    (number) =>
      ofShares.some((value) => typeof value === 'number' && isNear(value, number / 100)) ||
      own.some(
        (value) => SCALES.some((scale) => isNear(value, number * scale)) || isShifted(value, number),
      ) ||
      (!isOrdinal && limit === number) ||
      texts.some((text) => text.includes(word)) ||
      (number >= 0 && parts.some((part) => part === number || isShifted(part, number))) ||
      isAge(number, parts, own, today),
  );
}

/** The bound of whole numbers next to it, or of a decade. */
const isShifted = (value: number, number: number) =>
  Number.isInteger(number) &&
  (Math.abs(value - number) === 1 || (number >= 1000 && number % 10 === 0 && value === number + 10));

/** Some years ago, or days: a date that many before the day of the question. */
function isAge(number: number, parts: number[], own: number[], today: string): boolean {
  const year = Number(today.slice(0, 4));
  return number > 0 && [...parts, ...own].some((part) => part > 1900 && Math.abs(year - number - part) <= 1);
}
