// What a text claims: its numbers and names, and which of them no item has.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { linkTargets } from '#platform/linked-markdown.ts';

/** What a text may say besides the numbers and names of its items: what the request names, and true counts. */
export interface Allowed {
  items: readonly ModelItem[];
  /** Texts whose numbers and names may be repeated. */
  texts: readonly string[];
  numbers: readonly number[];
  /** Names that would be invented here: those of records that are not among the items. */
  strangers: readonly string[];
}

/** Numbers, names and links in a text that nothing allows. */
export function inventedIn(text: string, { items, texts, numbers, strangers }: Allowed): string[] {
  const said = items.flatMap(({ name, fields }) => [name, ...leavesOf(fields)]).concat(texts);
  const known = said.join('\n').toLowerCase();
  const allowed = [
    ...numbers,
    ...numbersIn(said.join(' ; ')).map(({ value }) => value),
    ...resultsOver(items),
  ];
  const ids = new Set(items.map(({ id }) => `entity=${id}`));
  const words = withoutLinks(text);
  return [
    ...numbersIn(words)
      .filter((number) => !allowed.some((one) => isRounded(one, number)))
      .map(({ written }) => written),
    ...namesIn(words).filter((name) => !known.includes(name.toLowerCase())),
    ...strangers.filter((name) => !known.includes(name.toLowerCase()) && words.includes(name)),
    ...linkTargets(text).filter((target) => !ids.has(target)),
  ];
}

interface Written {
  value: number;
  written: string;
}

const NUMBER = /(?<![\p{L}\p{N}.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\p{L}\p{N}.])\d+(?:\.\d+)?/gu;

/** Numbers with digits, list numbers aside; thousands may be separated by commas. */
export function numbersIn(text: string): Written[] {
  const plain = text.replace(/^\s*\d+[.)]\s/gm, ' ');
  return [...plain.matchAll(NUMBER)].map(([written]) => ({
    written,
    value: Number(written.replaceAll(',', '')),
  }));
}

/** Whether the number as written is the exact one, rounded to the decimals that it has, or to thousands of it. */
function isRounded(exact: number, { value, written }: Written): boolean {
  const decimals = written.split('.')[1]?.length ?? 0;
  return Math.abs(exact - value) <= 0.5 * 10 ** -decimals + 1e-9;
}

/** What can be computed of the items truly: their number, and sum, mean, and range of each field. */
function resultsOver(items: readonly ModelItem[]): number[] {
  const fields = new Set(items.flatMap((item) => Object.keys(item.fields)));
  const results = [...fields].flatMap((field) => {
    const values = items.flatMap(({ fields }) => (typeof fields[field] === 'number' ? [fields[field]] : []));
    const sum = values.reduce((total, value) => total + value, 0);
    return values.length === 0 ? [] : [sum, sum / values.length, Math.max(...values) - Math.min(...values)];
  });
  return [...results, ...Array.from({ length: items.length + 1 }, (_, i) => i)];
}

/** Capitalized words in a row, after the first word of a sentence: "Forthouse Ventures". */
function namesIn(text: string): string[] {
  return [...text.matchAll(/(?<=[\p{Ll}\p{N},;] )\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)+/gu)].map(
    ([name]) => name,
  );
}

/** The text with the labels of links in their stead. */
const withoutLinks = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

function leavesOf(value: Json): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}
