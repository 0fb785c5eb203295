// Numbers and names in what a model wrote that nothing it was given has (rules.md: steps 16).
import { cut } from '#platform/cut.ts';
import { visibleText } from '#platform/linked-markdown.ts';
import { fold, plainText } from '#platform/words.ts';
import type { Item, StepContext } from './step.ts';
import type { Gathered } from './step-input.ts';

/** What a model was given besides items: instructions, titles, texts. */
interface Given {
  items: readonly Pick<Item, 'name' | 'type' | 'fields'>[];
  texts: readonly string[];
}

/** As written, each once, in order. */
export interface Unverified {
  numbers: string[];
  names: string[];
}

/** More claims than a reader checks are not looked for. */
const CLAIMS_MAX = 200;

/** As many of each as the warning has, and how long its sentence is. */
const LISTED_MAX = 20;
const LISTED_MAX_CHARACTERS = 300;

/**
 * Warns `message_unverified` of what a model wrote that nothing has which it was given. The offline model writes by
 * rules, what the items say.
 */
export function warnUnverified(
  { run, instructions, title, warn }: Pick<StepContext, 'run' | 'instructions' | 'title' | 'warn'>,
  written: readonly string[],
  { items, texts }: Given,
): void {
  if (run.simulated) return;
  const given = { items, texts: [...texts, instructions, title, run.title] };
  const { numbers, names } = unverified(written.join('\n'), given);
  if (numbers.length === 0 && names.length === 0) return;
  const listed = [...numbers, ...names].map((one) => `"${one}"`).join(', ');
  warn({
    code: 'message_unverified',
    message: `No item of the run has ${cut(listed, LISTED_MAX_CHARACTERS)}: check it before you rely on it.`,
    details: { numbers: numbers.slice(0, LISTED_MAX), names: names.slice(0, LISTED_MAX) },
  });
}

/**
 * Whether the steps before brought nothing to write about: the service then says so itself (rules.md: steps 15). The
 * offline model says it by its rules. The first step of a plan works on its instructions alone.
 */
export const isAboutNothing = (
  { run, earlier }: Pick<StepContext, 'run' | 'earlier'>,
  { items, texts }: Gathered,
): boolean => !run.simulated && earlier.length > 0 && items.length === 0 && texts.length === 0;

/**
 * The numbers and names of a text that no item and no given text has. A number is known where one that was given rounds
 * to it, also in thousands, millions or percent, and where it counts items; a name is known where one item or text has
 * all of its words. Reads what was given only as far as claims are open.
 */
export function unverified(written: string, { items, texts }: Given): Unverified {
  const seen = visibleText(written);
  let numbers = numberClaims(seen).filter(({ value }) => !isCount(value, items.length));
  let names = nameClaims(seen);
  const read = (text: string) => {
    const known = numbersIn(text);
    numbers = numbers.filter((claim) => !known.some((number) => isRounded(number, claim)));
    const words = new Set(wordsIn(text));
    const isKnown = (reading: string[]) => reading.every((word) => words.has(word));
    names = names.filter(({ readings }) => !readings.some(isKnown));
  };
  for (const text of texts) read(text);
  for (const { name, type, fields } of items) {
    if (numbers.length === 0 && names.length === 0) break;
    read(`${name} ${type} ${Object.keys(fields).join(' ')} ${plainText(fields)}`);
  }
  return { numbers: numbers.map(({ text }) => text), names: names.map(({ text }) => text) };
}

interface NumberClaim {
  text: string;
  value: number;
  /** Half of the last digit that is written. */
  tolerance: number;
}

const NUMBER = /(?<![\p{L}\p{N}.,])[-−]?\d+(?:[.,' \u00a0]\d{3})*(?:[.,]\d+)?(?![\p{L}\p{N}])/gu;

/** Numbers as they are written, without those that number a list or a heading. */
function numberClaims(text: string): NumberClaim[] {
  const plain = text.replace(/^[ \t#>*-]*\d+[.)](?=\s)/gm, '');
  const claims = new Map<string, NumberClaim>();
  for (const [written] of plain.matchAll(NUMBER))
    for (const value of readings(written).slice(0, 1)) {
      const decimals = /[.,](\d+)$/.exec(written)?.[1] ?? '';
      const isGrouped = decimals.length === 3 && Number.isInteger(value);
      const tolerance = 0.5 * 10 ** -(isGrouped ? 0 : decimals.length);
      claims.set(written, { text: written, value, tolerance });
    }
  return [...claims.values()].slice(0, CLAIMS_MAX);
}

/** What a written number may mean: commas and points separate groups of three digits, or the decimals. */
function readings(written: string): number[] {
  const text = written.replace('−', '-').replace(/[' \u00a0]/g, '');
  const english = Number(text.replaceAll(',', ''));
  const continental = Number(text.replaceAll('.', '').replace(',', '.'));
  const isContinental = /^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^-?\d+,\d{1,2}$/.test(text);
  return (isContinental ? [continental, english] : [english, continental]).filter(Number.isFinite);
}

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?/gi)].flatMap(([written]) => {
    const exact = Number(written);
    return Number.isFinite(exact) ? [exact] : readings(written);
  });

/** Thousands, millions, billions, and percent of a share. */
const SCALES = [1, 1e-3, 1e-6, 1e-9, 100];

/** A share of tolerance for what binary fractions cannot say. */
const SLACK = 1 + 1e-9;

const isRounded = (known: number, { value, tolerance }: NumberClaim): boolean =>
  SCALES.some((scale) => Math.abs(Math.abs(known * scale) - Math.abs(value)) <= tolerance * SLACK);

/** Whether a number may count some of the items. */
const isCount = (value: number, items: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= items;

interface NameClaim {
  text: string;
  /** Its words, and those without a first word that any sentence would capitalize. */
  readings: string[][];
}

const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}\p{N}’'&-]*`;
const NAME = new RegExp(String.raw`${CAPITALIZED}(?:[ \u00a0]${CAPITALIZED})*`, 'gu');
/** Before a word that any text would capitalize. */
const SENTENCE_START = /(?:^|[.!?:;|\n]|[-*>#]|\p{Ps}|\p{Pi}|["'])\s*$/u;
/** In a language that capitalizes its nouns, single words are no names; a short text has too few to tell. */
const NOUNS_SHARE = 0.2;
const NOUNS_MIN = 4;

/**
 * Capitalized words as they are written: two or more in a row anywhere, and single ones within a sentence, unless the
 * text capitalizes so many words that they cannot all be names.
 */
function nameClaims(text: string): NameClaim[] {
  const claims = new Map<string, NameClaim>();
  const all = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const inside = [...text.matchAll(NAME)].filter(({ index }) => !SENTENCE_START.test(text.slice(0, index)));
  const manyNouns = inside.length >= Math.max(NOUNS_MIN, all.length * NOUNS_SHARE);
  for (const { 0: written, index } of text.matchAll(NAME)) {
    const starts = SENTENCE_START.test(text.slice(Math.max(0, index - 8), index));
    const parts = written.split(/[ \u00a0]/);
    const certain = starts ? parts.length - 1 : parts.length;
    if (certain === 0 || (certain === 1 && manyNouns)) continue;
    const readings = [parts, ...(starts ? [parts.slice(1)] : [])].map((words) => wordsIn(words.join(' ')));
    claims.set(written, { text: written, readings });
  }
  return [...claims.values()].slice(0, CLAIMS_MAX);
}

/** The words of a text, folded; a possessive ending is no part of one. */
const wordsIn = (text: string): string[] =>
  fold(text)
    .replace(/'s\b/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
