// Values computed because a name or instruction asks for them: initials, lengths, years, domains, choices.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { cached } from './cached.ts';
import { isMoment } from './in-words.ts';
import { type Field, fieldsOf, keyWords, shown, textOf } from './items.ts';
import { coverage, coverageOf, subjectWords } from './relevance.ts';

/** The words that ask for a computation, and its value from a text and the fields that it may be read from. */
const FORMS: [string[], (text: string, fields: readonly Field[]) => Json][] = [
  [['initial', 'acronym', 'abbreviation'], (text) => initials(text)],
  [['uppercase', 'upper', 'capital', 'shout'], (text) => text.toUpperCase()],
  [['lowercase', 'lower'], (text) => text.toLowerCase()],
  [['length', 'character'], (text) => [...text].length],
  [['domain', 'host'], (_, fields) => firstOf(fields, domainIn)],
  [['year'], (_, fields) => firstOf(fields, yearIn)],
];
const SCORES = ['score', 'rating', 'relevance', 'priority'];

/**
 * The value that one of the words asks for; undefined when none names a computation. `wording` holds the words of the
 * instruction, which select the source field.
 */
export function computed(
  words: string[],
  wording: string[],
  order: string,
  item: ModelItem,
): Json | undefined {
  const fields = fieldsOf(item);
  const target = fields.find(({ key }) => coverageOf(keyWords(key), wording) === 1);
  const form = FORMS.find(([names]) => names.some((name) => words.includes(name)));
  if (form) return form[1](target ? shown(target.value) : item.name, target ? [target] : fields);
  const [first, ...rest] = words;
  if (first === 'has')
    return fields.some(({ key, value }) => value !== false && coverageOf(rest, keyWords(key)) === 1);
  if (first === 'is') return coverage(rest, textOf(item)) === 1;
  if (words.some((word) => SCORES.includes(word)))
    return Math.round(100 * coverage(subjectWords(order), textOf(item)));
  return choiceOf(item, order);
}

function initials(text: string): string {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

function firstOf<T>(fields: readonly Field[], read: (value: Json) => T | undefined): T | null {
  return fields.flatMap(({ value }) => read(value) ?? [])[0] ?? null;
}

function domainIn(value: Json): string | undefined {
  const site = /(?:^(?=\S+$)|@|https?:\/\/)(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?![\w.])/i;
  return site.exec(shown(value))?.[1]?.toLowerCase();
}

function yearIn(value: Json): number | undefined {
  if (typeof value !== 'number')
    return Number(/\b(1[5-9]\d\d|20\d\d)\b/.exec(shown(value))?.[1]) || undefined;
  if (isMoment(value)) return new Date(value).getUTCFullYear();
  return Number.isInteger(value) && value > 1000 && value < 2200 ? value : undefined;
}

/** The items of a step share its instructions. */
const optionsIn = cached(10, (order) => {
  const list =
    /\b(?:as|into|either|one of|between|whether)[:\s]+((?:[\w-]+\s*,\s*)*[\w-]+\s*,?\s+or\s+[\w-]+)/i.exec(
      order,
    )?.[1];
  return list?.split(/\s*,\s*(?:or\s+)?|\s+or\s+/).filter(Boolean) ?? [];
});

/** The option listed ("as startup, scaleup or enterprise") that the item's text names; else the first. */
function choiceOf(item: ModelItem, order: string): string | undefined {
  const options = optionsIn(order);
  if (options.length < 2) return undefined;
  const text = textOf(item);
  return options.find((option) => coverage([option.toLowerCase()], text) === 1) ?? options[0];
}
