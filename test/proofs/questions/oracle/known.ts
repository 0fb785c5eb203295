// What the records of a vocabulary hold, as the oracle looks it up: types, fields and values as they stand.
import type { Row } from '#domain/evaluation/truth.ts';

export interface Known {
  types: string[];
  /** The words of types and fields. */
  words: ReadonlySet<string>;
  /** Texts of fields and names of records, longest first. */
  texts: string[];
  lists: ReadonlySet<string>;
  /** Fields whose numbers are parts of one. */
  shares: ReadonlySet<string>;
  /** Values in capitals, which may be spelled like words. */
  codes: ReadonlySet<string>;
}

export const wordsIn = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

export function knownOf(rows: readonly Row[]): Known {
  const [types, words, texts, lists] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const highest = new Map<string, number>();
  const enter = (path: string, value: unknown) => {
    for (const word of wordsIn(path)) words.add(word);
    if (typeof value === 'number') highest.set(path, Math.max(Math.abs(value), highest.get(path) ?? 0));
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) {
      lists.add(path);
      for (const one of value) if (typeof one === 'string') texts.add(one);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) enter(path === '' ? key : `${path}.${key}`, inner);
  };
  for (const { type, name, fields } of rows) {
    types.add(type);
    texts.add(name);
    enter('', fields);
  }
  for (const type of types) for (const word of wordsIn(type)) words.add(word);
  return {
    ...{ types: [...types], words, lists },
    shares: new Set([...highest].filter(([, high]) => high <= 1).map(([path]) => path)),
    codes: new Set([...texts].filter((text) => /^[A-Z]{2,4}$/.test(text))),
    texts: [...texts].filter((text) => text.length > 1).toSorted((a, b) => b.length - a.length),
  };
}
