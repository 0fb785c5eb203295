// The record types that a text names: singular, plural or by a synonym.
import type { Outline } from '#contract/record-queries.ts';
import { fold, stem } from '#platform/words.ts';
import { humanName, keyWords } from './items.ts';
import { fieldSynonyms, typeOf } from './vocabulary.ts';

/** Where a text names a type, or several of one name. */
export interface TypeMention {
  types: string[];
  start: number;
  end: number;
  /** Whether it is the type's own name, not a synonym. */
  literal: boolean;
}

interface Word {
  /** Folded, without a possessive ending. */
  word: string;
  start: number;
  end: number;
}

const IRREGULAR: Record<string, string> = {
  person: 'people',
  man: 'men',
  woman: 'women',
  child: 'children',
  foot: 'feet',
  tooth: 'teeth',
  mouse: 'mice',
  goose: 'geese',
  criterion: 'criteria',
  medium: 'media',
  index: 'indices',
  matrix: 'matrices',
  appendix: 'appendices',
};
/** Endings that change in the plural. */
const ENDINGS: [RegExp, string][] = [
  [/$/, 's'],
  [/$/, 'es'],
  [/y$/, 'ies'],
  [/fe?$/, 'ves'],
  [/is$/, 'es'],
  [/us$/, 'i'],
  [/z$/, 'zzes'],
];

/** The words of a text with their positions. */
export function wordsWithPositions(text: string): Word[] {
  return [...text.matchAll(/([\p{L}\p{N}]+)(?:['’]s\b)?/gu)].map((match) => ({
    word: fold(match[1] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The named types, in the order of the outline; a word that names a field of the first named type is not a type. */
export function typesNamed(text: string, shape: Outline): string[] {
  const named = new Set(typeMentions(text, shape).flatMap(({ types }) => types));
  return shape.types.map(({ type }) => type).filter((type) => named.has(type));
}

/** Every mention of a type, in order. */
export function typeMentions(text: string, shape: Outline): TypeMention[] {
  const words = wordsWithPositions(text);
  const names = shape.types.map(({ type }) => nameOf(type));
  const found: (TypeMention & { said: string })[] = [];
  for (let i = 0; i < words.length; ) {
    const { types, length, literal } = typesAt(words, i, names);
    const [first, last] = [words[i], words[i + length - 1]];
    if (types.length > 0 && first && last)
      found.push({ types, literal, said: last.word, start: first.start, end: last.end });
    i += Math.max(1, length);
  }
  const [head] = found;
  const fields = shape.types.filter(({ type }) => head?.types.includes(type)).flatMap((type) => type.fields);
  const fieldWords = fields.map(({ path }) => keyWords(path));
  return found.filter((mention) => mention === head || !namesField(mention, fieldWords));
}

/** A type with the folded words of its name, and the type that it stands for as a word. */
interface TypeName {
  type: string;
  words: string[];
  kind: string;
}

function nameOf(type: string): TypeName {
  const name = fold(humanName(type));
  return { type, words: name.split(' '), kind: typeOf(stem(name)) };
}

/** The types that the words from `i` on begin with: by their own name, else by a synonym. */
function typesAt(
  words: Word[],
  i: number,
  names: TypeName[],
): { types: string[]; length: number; literal: boolean } {
  const named = names.filter((name) => name.words.every((word, k) => isNoun(words[i + k]?.word, word)));
  const length = Math.max(0, ...named.map((name) => name.words.length));
  const longest = named.filter((name) => name.words.length === length).map(({ type }) => type);
  if (longest.length > 0) return { types: longest, length, literal: true };
  const kind = typeOf(stem(words[i]?.word ?? ''));
  return {
    types: names.filter((name) => name.kind === kind).map(({ type }) => type),
    length: 1,
    literal: false,
  };
}

/** Whether two folded words are one noun, singular or plural. */
function isNoun(said: string | undefined, noun: string): boolean {
  if (said === undefined) return false;
  return stem(said) === stem(noun) || isPlural(said, noun) || isPlural(noun, said);
}

function isPlural(plural: string, singular: string): boolean {
  return (
    IRREGULAR[singular] === plural ||
    (singular.length > 1 && ENDINGS.some(([ending, other]) => plural === singular.replace(ending, other)))
  );
}

/** "more than 50 employees" after "companies" means the field of companies, not people. */
function namesField({ said, literal }: { said: string; literal: boolean }, fields: string[][]): boolean {
  const names = literal ? [stem(said)] : fieldSynonyms(stem(said));
  return fields.some((words) =>
    literal ? words.join(' ') === names[0] : names.some((name) => words.includes(name)),
  );
}
