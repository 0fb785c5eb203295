// Values computed because a name or instruction asks for them: initials, lengths, years, domains, choices.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { fold } from '#platform/words.ts';
import { cached } from './cached.ts';
import { embedText } from './embedding.ts';
import { type Field, fieldsOf, keyWords, shown, textOf } from './items.ts';
import { quantityOf } from './numbers.ts';
import { akin, coverage, subjectWords } from './relevance.ts';

/** The input of a computation: the item, the field it is for, and the full instruction. */
interface Given {
  item: ModelItem;
  target: Field | undefined;
  order: string;
}

const FORMS: [string[], (given: Given) => Json | undefined][] = [
  [['initial', 'acronym', 'abbreviation'], ({ item, target }) => initials(textIn(target) ?? item.name)],
  [
    ['uppercase', 'upper', 'capital', 'shout'],
    ({ item, target }) => (textIn(target) ?? item.name).toUpperCase(),
  ],
  [['lowercase', 'lower'], ({ item, target }) => (textIn(target) ?? item.name).toLowerCase()],
  [['slug'], ({ item, target }) => slugOf(textIn(target) ?? item.name)],
  [['reversed', 'reverse'], ({ item, target }) => [...(textIn(target) ?? item.name)].reverse().join('')],
  [['length', 'character'], ({ item, target }) => [...(textIn(target) ?? item.name)].length],
  [['domain', 'host'], ({ item }) => domainOf(item)],
  [['year'], ({ item, target }) => yearOf(item, target)],
  [['decade'], ({ item, target }) => decadeOf(yearOf(item, target))],
];

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
  const target = fieldsOf(item).find(({ key }) =>
    keyWords(key).every((part) => wording.some((word) => akin(part, word))),
  );
  const form = FORMS.find(([names]) => names.some((name) => words.includes(name)));
  if (form) return form[1]({ item, target, order });
  if (words.includes('first') && words.includes('name')) return item.name.split(/\s+/)[0] ?? null;
  if ((words.includes('last') || words.includes('family')) && words.includes('name'))
    return item.name.split(/\s+/).at(-1) ?? null;
  if (words.includes('word') && (words.includes('count') || words.includes('number')))
    return (textIn(target) ?? item.name).split(/\s+/).filter(Boolean).length;
  if (words[0] === 'has')
    return fieldsOf(item).some(
      ({ key, value }) => value !== false && coverage(words.slice(1), keyWords(key).join(' ')) === 1,
    );
  if (words[0] === 'is') return coverage(words.slice(1), textOf(item)) === 1;
  if (words.some((word) => ['score', 'rating', 'relevance', 'priority'].includes(word)))
    return scoreOf(item, order);
  return choiceOf(item, order);
}

function textIn(target: Field | undefined): string | undefined {
  return target === undefined ? undefined : shown(target.value);
}

function initials(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}

const slugOf = (text: string) => (fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join('-');

function domainOf(item: ModelItem): Json {
  for (const { value } of fieldsOf(item)) {
    const found = /(?:@|https?:\/\/(?:www\.)?|^www\.)([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(shown(value));
    if (found?.[1]) return found[1].toLowerCase();
  }
  const bare = fieldsOf(item).find(({ value }) =>
    /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(shown(value)),
  );
  return bare ? shown(bare.value).toLowerCase() : null;
}

function yearOf(item: ModelItem, target: Field | undefined): number | null {
  for (const { value } of target ? [target] : fieldsOf(item)) {
    const quantity = quantityOf(value);
    if (quantity?.at !== undefined) return new Date(quantity.at).getUTCFullYear();
    if (
      quantity?.number !== undefined &&
      Number.isInteger(quantity.number) &&
      quantity.number > 1000 &&
      quantity.number < 2200
    )
      return quantity.number;
    const written = typeof value === 'string' ? /\b(1[5-9]\d\d|20\d\d)\b/.exec(value) : null;
    if (written) return Number(written[1]);
  }
  return null;
}

function decadeOf(year: number | null): string | null {
  return year === null ? null : `${Math.floor(year / 10) * 10}s`;
}

/** 0 to 100: how much of the instruction's wording occurs in the item. */
function scoreOf(item: ModelItem, order: string): number {
  const words = subjectWords(order);
  return Math.round(100 * (words.length === 0 ? 0 : coverage(words, textOf(item))));
}

/** The items of a step share its instructions. */
const optionsIn = cached(10, (order) => {
  const list =
    /\b(?:as|into|either|one of|between|whether)[:\s]+((?:[\w-]+\s*,\s*)*[\w-]+\s*,?\s+or\s+[\w-]+)/i.exec(
      order,
    )?.[1];
  return list?.split(/\s*,\s*(?:or\s+)?|\s+or\s+/).filter(Boolean) ?? [];
});

/** The closest to the item's text of the options listed ("as startup, scaleup or enterprise"). */
function choiceOf(item: ModelItem, order: string): string | undefined {
  const options = optionsIn(order);
  if (options.length < 2) return undefined;
  const text = textOf(item);
  const own = embedText(text);
  const near = (option: string) =>
    embedText(option).reduce((sum, x, i) => sum + x * (own[i] ?? 0), coverage([option.toLowerCase()], text));
  return options.toSorted((a, b) => near(b) - near(a))[0];
}
