// What a batch of items has: its outline, and the values that the words of an instruction may mean.
import { nameOfPath } from '#contract/conditions.ts';
import type { FieldKind, Outline, OutlineField } from '#contract/record-queries.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { wordsOf } from '#platform/words.ts';
import { fieldsOf } from './items.ts';
import { FILLERS } from './query/lexicon.ts';
import type { KnownValue } from './query/text.ts';
import { nounOf, type Token } from './query/tokens.ts';
import { akin } from './relevance.ts';

/** The types of the items with their fields. */
export const outlineOf = (items: readonly ModelItem[]): Outline => ({
  types: [...Map.groupBy(items, ({ type }) => type)].map(([type, own]) => ({
    type,
    count: own.length,
    fields: [...Map.groupBy(own.flatMap(fieldsOf), ({ key }) => key)].map(([path, all]) =>
      fieldOf(
        path,
        all.map(({ value }) => value),
      ),
    ),
  })),
});

function fieldOf(path: string, values: readonly unknown[]): OutlineField {
  const numbers = values.filter((value) => typeof value === 'number');
  const samples = [...new Set(values.filter((value) => typeof value === 'string'))];
  return {
    path,
    kinds: [...new Set(values.map(kindOf))],
    ...(numbers.length > 0 && { low: Math.min(...numbers), high: Math.max(...numbers) }),
    samples,
    distinct_texts: samples.length,
  };
}

function kindOf(value: unknown): FieldKind {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/** A text of a field, with its words. */
interface FieldText {
  path: string;
  field: string;
  value: string;
  words: readonly string[];
}

function textsOf(items: readonly ModelItem[]): FieldText[] {
  const all = items.flatMap((item) => [
    { path: 'name', field: 'name', value: item.name },
    ...fieldsOf(item).flatMap(({ key: path, value }) =>
      (Array.isArray(value) ? value : [value]).flatMap((one) =>
        typeof one === 'string' ? [{ path, field: nameOfPath(path), value: one }] : [],
      ),
    ),
  ]);
  const different = [...new Map(all.map((one) => [JSON.stringify([one.field, one.value]), one])).values()];
  const texts = different.map((one) => ({ ...one, words: wordsOf(one.value) }));
  // One word of prose does not name it.
  return texts.filter(({ words }) => words.length <= RUN_MAX);
}

/** The longest run of words that is looked for in one text. */
const RUN_MAX = 8;

/** What finds the texts of a batch that have words of an instruction, or words of the same root. */
export function valuesIn(items: readonly ModelItem[]): (tokens: readonly Token[]) => KnownValue[] {
  const byWord = new Map<string, Set<FieldText>>();
  for (const text of textsOf(items))
    for (const word of text.words) byWord.set(word, (byWord.get(word) ?? new Set()).add(text));
  const having = new Map<string, ReadonlySet<FieldText>>();
  const textsWith = (token: Token): ReadonlySet<FieldText> => {
    const said = wordsOf(token.word);
    const known =
      having.get(token.word) ??
      new Set(
        [...byWord].flatMap(([own, texts]) =>
          said.some((word) => akin(word, own)) || own === nounOf(token.word) ? [...texts] : [],
        ),
      );
    having.set(token.word, known);
    return known;
  };
  return (tokens) => {
    const all = tokens.flatMap((_, at) => runsFrom(tokens, at, textsWith));
    // A value that is said again and again is one.
    return [...new Map(all.map((one) => [JSON.stringify([one.path, one.value, one.nouns]), one])).values()];
  };
}

/** The texts that have the words from `at` on, of one, two and more of them. */
function runsFrom(
  tokens: readonly Token[],
  at: number,
  textsWith: (token: Token) => ReadonlySet<FieldText>,
): KnownValue[] {
  const found: KnownValue[] = [];
  let texts: readonly FieldText[] | null = null;
  for (let end = at; end < Math.min(tokens.length, at + RUN_MAX); end++) {
    const token = tokens[end];
    if (!token || (token.kind !== 'word' && token.kind !== 'number')) break;
    const own = textsWith(token);
    const all: readonly FieldText[] = texts ?? [...own];
    texts = all.filter((text) => own.has(text));
    if (texts.length === 0) break;
    const nouns = tokens.slice(at, end + 1).map(({ word }) => nounOf(word));
    const plain = nouns.every((noun) => FILLERS.has(noun) || /^\d+$/.test(noun));
    found.push(...texts.map(({ path, field, value }) => ({ path, field, value, nouns, plain })));
  }
  return found;
}
