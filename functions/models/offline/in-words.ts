// The one way to put an item in words: its facts, a line with its link, a sentence.
import type { ModelItem } from '#models/tasks/model-task.ts';
import { cut } from '#platform/cut.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { wordsOf } from '#platform/words.ts';
import { type Field, fieldsOf, humanName, linkTo, shown } from './items.ts';
import { coverageOf } from './relevance.ts';

/** A field in words, and all words of it. */
interface Fact {
  key: string;
  text: string;
  own: string[];
}

const FACT_CHARACTERS = 160;
const knownFacts = new WeakMap<ModelItem, readonly Fact[]>();

function allFacts(item: ModelItem): readonly Fact[] {
  const all =
    knownFacts.get(item) ??
    fieldsOf(item).map((field) => {
      const [name, said] = [humanName(field.key), saidOf(field)];
      return {
        key: field.key,
        text: `${name} ${cut(said, FACT_CHARACTERS)}`,
        own: wordsOf(`${name} ${said}`),
      };
    });
  knownFacts.set(item, all);
  return all;
}

/** The value of a field in words. */
export const saidOf = ({ key, value }: Field) =>
  typeof value === 'number' ? rounded(value, humanName(key)) : shown(value);

/** The facts of an item as "city Berlin, revenue 12.5", those that match the words first. */
function factsOf(item: ModelItem, words: string[], most: number, without: string[] = []): string {
  return allFacts(item)
    .filter(({ key }) => !without.includes(key))
    .map(({ own, text }) => ({ text, fit: coverageOf(words, own) }))
    .toSorted((left, right) => right.fit - left.fit)
    .slice(0, most)
    .map(({ text }) => text)
    .join(', ');
}

/** An item as a line of a list: its link and its facts. */
export function lineOf(item: ModelItem, words: string[], most: number): string {
  const facts = factsOf(item, words, most);
  return `- ${linkTo(item)}${facts && `: ${asMarkdown(facts)}`}`;
}

/** A sentence about an item: what it is and where, then its other facts, those that match the words first. */
export function sentenceOf(item: ModelItem, words: string[]): string {
  const short = (...names: string[]) =>
    fieldsOf(item).find(
      ({ key, value }) => typeof value === 'string' && value.length <= 40 && names.includes(humanName(key)),
    );
  const kind = short('industry', 'sector', 'category');
  const location = ['city', 'country'].flatMap((name) => short(name) ?? []);
  const noun = `${kind ? `${shown(kind.value)} ` : ''}${humanName(item.type)}`;
  const where = location.length > 0 ? ` in ${location.map(({ value }) => shown(value)).join(', ')}` : '';
  const said = [kind, ...location].flatMap((field) => field?.key ?? []);
  const rest = factsOf(item, words, 4, said);
  const sentence = `${item.name} is ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}${where}${rest && `: ${rest}`}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

/** Numbers that are names rather than amounts. */
const NAMING = /\b(?:id|zip|postal|postcode|code|phone|isbn|number)\b/;
const MOMENT = /\b(?:at|on|date|time|until|since|inspection)\b|ed$/;

/** Whether a number may be a time in milliseconds. */
export const isMoment = (value: number) => value > 1e11 && value < 1e13 && Number.isInteger(value);
/** Whether the field's name says so too. */
export const isTime = (value: number, name: string) => isMoment(value) && MOMENT.test(name);

/** A number for people: at most two decimals, separators from 10,000 on, a time as its day. */
export function rounded(value: number, name = ''): string {
  if (NAMING.test(name)) return String(value);
  if (isTime(value, name)) return new Date(value).toISOString().slice(0, 10);
  const [whole = '', part] = String(Math.round(value * 100) / 100).split('.');
  if (whole.includes('e') || part?.includes('e')) return String(value);
  const spaced = Math.abs(value) < 10_000 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? spaced : `${spaced}.${part}`;
}
