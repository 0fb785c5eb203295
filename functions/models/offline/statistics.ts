// What a set of items has in common, in words: groups by category, numbers by field.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { isTime, rounded } from './in-words.ts';
import { capitalised, fieldsOf, humanName, keyWords, linkTo, shown } from './items.ts';
import { akin } from './relevance.ts';

/** A field with its values, and whether it is asked for. */
interface Column {
  name: string;
  cells: { value: Json; item: ModelItem }[];
  asked: boolean;
}

/** The fields of the items; those that match the words are asked for. */
function columnsOf(items: ModelItem[], words: string[]): Column[] {
  const cells = items.flatMap((item) => fieldsOf(item).map(({ key, value }) => ({ key, value, item })));
  return [...Map.groupBy(cells, ({ key }) => key)].map(([key, own]) => ({
    name: humanName(key),
    cells: own,
    asked: keyWords(key).some((part) => words.some((word) => akin(part, word))),
  }));
}

/** "the first 200 of 600 items", when not all of them are there; '' when all are. */
export function partOf({ items, found }: { items: ModelItem[]; found: { count: number }[] }): string {
  const all = found.reduce((sum, { count }) => sum + count, 0);
  return all > items.length ? `the first ${items.length} of ${rounded(all)} items` : '';
}

const GROUPS_SHOWN = 6;
const MEMBERS_SHOWN = 3;

/** For each of the fields that group the items best, its largest groups with their share and a few members. */
export function groupings(items: ModelItem[], words: string[], most: number): string[] {
  const found = columnsOf(items, words).flatMap(({ name, cells, asked }) => {
    const members = cells.flatMap(({ value, item }) => categories(value).map((of) => ({ of, item })));
    const groups = [...Map.groupBy(members, ({ of }) => of)].toSorted(([, a], [, b]) => b.length - a.length);
    const covered = new Set(members.map(({ item }) => item)).size;
    const informs = asked || (groups.length > 1 && covered > items.length / 2);
    if (!informs || groups.length >= covered) return [];
    const worth = (asked ? 10 : 0) + covered / items.length - groups.length / covered;
    const lines = groups.slice(0, GROUPS_SHOWN).map(([value, own]) => {
      const share = Math.round((100 * own.length) / members.length);
      const named = own.slice(0, MEMBERS_SHOWN).map(({ item }) => linkTo(item));
      const more = own.length > MEMBERS_SHOWN ? ` and ${own.length - MEMBERS_SHOWN} more` : '';
      return `- ${asMarkdown(value)}: ${own.length} (${share} %): ${named.join(', ')}${more}`;
    });
    if (groups.length > GROUPS_SHOWN) lines.push(`- ${groups.length - GROUPS_SHOWN} further values`);
    if (covered < items.length) lines.push(`- unknown for ${items.length - covered}`);
    return [{ worth, text: `**By ${asMarkdown(name)}.**\n${lines.join('\n')}` }];
  });
  return found
    .toSorted((left, right) => right.worth - left.worth)
    .slice(0, most)
    .map(({ text }) => text);
}

function categories(value: Json): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(categories))];
  const isShort = typeof value === 'string' && value.length <= 60 && !/^\S+@\S+$|^https?:/.test(value);
  return isShort || typeof value === 'boolean' ? [shown(value)] : [];
}

/** The numbers that several items have, a line for each field, those that match the words first. */
export function measures(items: ModelItem[], words: string[], most: number, part: string): string[] {
  return columnsOf(items, words)
    .map((column) => ({ ...column, cells: column.cells.flatMap(numberOf) }))
    .filter(({ cells }) => cells.length > 1)
    .toSorted(
      (left, right) => Number(right.asked) - Number(left.asked) || right.cells.length - left.cells.length,
    )
    .slice(0, most)
    .map((column) => measured(column, part));
}

interface NumberCell {
  value: number;
  item: ModelItem;
}

const numberOf = ({ value, item }: Column['cells'][number]): NumberCell[] =>
  typeof value === 'number' ? [{ value, item }] : [];

const YEARS = /year|founded|built|established|since|born|launched|published|opened/;
/** Numbers that add up to nothing. */
const NOT_ADDED = /score|rating|percent|age|rank|price|rate|temperature/;

/** The range with the items at both ends; of amounts also mean and, over all items, the sum. */
function measured({ name, cells }: { name: string; cells: NumberCell[] }, part: string): string {
  const sorted = cells.toSorted((left, right) => left.value - right.value);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (!min || !max) return '';
  const at = ({ value, item }: NumberCell) => `${rounded(value, name)} (${linkTo(item)})`;
  const title = `**${asMarkdown(capitalised(name))}.**`;
  const over = part === '' ? `over ${cells.length} items` : `over ${part}`;
  const isDated = (min.value >= 1000 && max.value <= 2200 && YEARS.test(name)) || isTime(min.value, name);
  const sum = cells.reduce((total, { value }) => total + value, 0);
  const amounts = [
    isDated ? '' : `, on average ${rounded(sum / cells.length, name)}`,
    isDated || part !== '' || NOT_ADDED.test(name) ? '' : `, in sum ${rounded(sum, name)}`,
  ];
  return `${title} From ${at(min)} to ${at(max)}${amounts.join('')}, ${over}.`;
}
