// Whether an item meets the conditions of an instruction.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { wordsOf } from '#platform/words.ts';
import type { Clause, Requirement, Sentence, Test } from './clause.ts';
import { isBare, isMeantInUnitOf, unitOf } from './field-units.ts';
import { fieldsOf, humanName, shown, textOf } from './items.ts';
import { type Amount, type Comparison, quantityOf } from './numbers.ts';
import { akin } from './relevance.ts';
import { largestNumber, type Shape } from './shape.ts';
import { typeOf } from './vocabulary.ts';

/** Up to this many loose words must all match; of more, the share below. */
const ALL_OF = 3;
const SHARE_OF_MANY = 0.6;

/** Whether all sentences together keep the item. An instruction without conditions keeps every item. */
export function keeps(item: ModelItem, sentences: Sentence[], shape: Shape): boolean {
  return sentences.every((sentence) => {
    if (sentence.mood === 'prefer') return true;
    const says = sentence.clauses.some(
      ({ requirements, types }) => requirements.length > 0 || types.length > 0,
    );
    if (!says) return true;
    return meets(item, sentence, shape) === (sentence.mood === 'keep');
  });
}

function meets(item: ModelItem, { clauses }: Sentence, shape: Shape): boolean {
  const [first] = clauses;
  const type = typeOf(wordsOf(humanName(item.type)).join(' '));
  if (first && !first.negated && first.types.length > 0 && !first.types.includes(type)) return false;
  const positive = clauses.filter(({ negated }) => !negated).flatMap(({ requirements }) => requirements);
  const hard = positive.filter(isHard);
  const loose = positive.filter((requirement) => !isHard(requirement));
  const met = loose.filter((requirement) => satisfies(item, requirement, shape)).length;
  const enough = loose.length <= ALL_OF ? loose.length : Math.ceil(loose.length * SHARE_OF_MANY);
  return (
    hard.every((requirement) => satisfies(item, requirement, shape)) &&
    met >= enough &&
    clauses.every((clause) => !clause.negated || !excludes(item, clause, type, shape))
  );
}

function excludes(item: ModelItem, clause: Clause, type: string, shape: Shape): boolean {
  if (clause.requirements.length === 0) return clause.types.includes(type);
  return clause.requirements.every((requirement) => satisfies(item, requirement, shape));
}

/** The share of the requested or preferred conditions that the item meets, 0 to 1; 1 when there are none. */
export function fitOf(item: ModelItem, sentences: Sentence[], shape: Shape): number {
  const wanted = sentences
    .filter(({ mood }) => mood !== 'remove')
    .flatMap(({ clauses }) =>
      clauses.filter(({ negated }) => !negated).flatMap(({ requirements }) => requirements),
    );
  if (wanted.length === 0) return 1;
  return wanted.filter((requirement) => satisfies(item, requirement, shape)).length / wanted.length;
}

function isHard(requirement: Requirement): boolean {
  return requirement.some((test) => test.kind !== 'words' || test.proper || test.keys !== null);
}

function satisfies(item: ModelItem, requirement: Requirement, shape: Shape): boolean {
  return requirement.some((test) => passes(item, test, shape));
}

function passes(item: ModelItem, test: Test, shape: Shape): boolean {
  if (test.kind === 'words') return hasWords(item, test.words, test.keys);
  if (test.kind === 'exists') return valuesOf(item, test.keys).some((value) => value !== false);
  const fields = fieldsOf(item).filter(({ key }) => test.keys === null || test.keys.includes(key));
  return fields.some(({ key, value }) => compares(value, test.comparison, key, shape));
}

function hasWords(item: ModelItem, words: string[], keys: string[] | null): boolean {
  const { own, akinTo } = textIn(item, keys);
  return words.every((word) => {
    const has = akinTo.get(word) ?? own.some((candidate) => akin(word, candidate));
    akinTo.set(word, has);
    return has;
  });
}

/** The words of an item's text, and which words were looked for among them: an instruction may test many, twice. */
interface ItemText {
  own: string[];
  akinTo: Map<string, boolean>;
}
const known = new WeakMap<ModelItem, Map<string, ItemText>>();

/** The text of these fields, or the whole text of the item. */
function textIn(item: ModelItem, keys: string[] | null): ItemText {
  const texts = known.get(item) ?? new Map<string, ItemText>();
  known.set(item, texts);
  const name = JSON.stringify(keys);
  const text =
    texts.get(name) ?? textOfWords(keys === null ? textOf(item) : valuesOf(item, keys).map(shown).join(' '));
  texts.set(name, text);
  return text;
}

const textOfWords = (text: string): ItemText => ({ own: [...new Set(wordsOf(text))], akinTo: new Map() });

function valuesOf(item: ModelItem, keys: string[]): Json[] {
  return fieldsOf(item)
    .filter(({ key }) => keys.includes(key))
    .map(({ value }) => value);
}

function compares(value: Json, comparison: Comparison, key: string, shape: Shape): boolean {
  const quantity = quantityOf(value);
  if (!quantity) return false;
  const { low, high } = comparison;
  const dated = low?.span !== undefined && (quantity.at !== undefined || low.value > 1e10);
  if (dated) return within(spanOf(quantity), comparison.side, low?.span, high?.span);
  if (quantity.number === undefined || !low || !high) return false;
  const number = quantity.number * (isBare(low) ? 1 : unitOf(key));
  const scale = inLargeUnits(key, low, shape) ? low.scale : 1;
  const [from, to] = [low.value / scale, high.value / scale].sort((a, b) => a - b);
  return within({ from: number, to: number }, comparison.side, point(from), point(to));
}

function point(value: number | undefined): { from: number; to: number } | undefined {
  return value === undefined ? undefined : { from: value, to: value };
}

interface Span {
  from: number;
  to: number;
}

function spanOf({ at, number = 0 }: { at?: number; number?: number }): Span {
  if (at !== undefined) return { from: at, to: at };
  return { from: Date.UTC(number, 0, 1), to: Date.UTC(number + 1, 0, 1) - 1 };
}

function within(
  value: Span,
  side: Comparison['side'],
  low: Span | undefined,
  high: Span | undefined,
): boolean {
  if (!low || !high) return false;
  if (side === 'gt') return value.from > low.to;
  if (side === 'gte') return value.from >= low.from;
  if (side === 'lt') return value.to < low.from;
  if (side === 'lte') return value.to <= high.to;
  const inside = value.from >= low.from && value.to <= high.to;
  return side === 'neq' ? !inside : inside;
}

/** Whether a field of small numbers uses the amount's magnitude: 12.5 where "10 million" is asked for. */
function inLargeUnits(key: string, amount: Amount, shape: Shape): boolean {
  return isMeantInUnitOf(amount, key, largestNumber(shape, key));
}
