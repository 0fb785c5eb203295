// The names that a query can use: types, and fields of the types it asks for, in any number, order and form.
import { nameOfPath } from '#contract/conditions.ts';
import type { Outline, OutlineField } from '#contract/record-queries.ts';
import { fold } from '#platform/words.ts';
import { humanName } from '../items.ts';
import { typeOf } from '../vocabulary.ts';
import { DIMENSION_FIELDS, MODIFIERS, MONEY_FIELDS, synonymsOf, unitNamed } from './lexicon.ts';
import { nounOf, stemOf, type Token } from './tokens.ts';

/** A field with its name in words. */
export interface NamedField extends OutlineField {
  /** As conditions name it. */
  name: string;
  words: readonly string[];
  /** Without units and other words around the name. */
  core: readonly string[];
  /** The same of the last part of the path. */
  leaf: readonly string[];
  /** The stems of `words`. */
  stems: ReadonlySet<string>;
  /** What its numbers or texts are times of. */
  dated: 'year' | 'moment' | 'iso' | null;
}

/** Fields that words name, equally well, and how many tokens they are. */
export interface FieldMention {
  fields: NamedField[];
  length: number;
  /** Whether the words are the name, a part of it, or only related to it. */
  by: 'name' | 'part' | 'stem' | 'synonym';
}

const YEARS = { low: 1000, high: 2200 } as const;
const EPOCH_MS_MIN = 1e11;
const ISO_DATE = /^\d{4}(-\d{2}(-\d{2}([T ].*)?)?)?$/;

export const hasNumbers = ({ kinds }: OutlineField) => kinds.includes('number');
export const isFlag = ({ kinds }: OutlineField) => kinds.includes('boolean');
export const hasTexts = ({ kinds }: OutlineField) => kinds.includes('text') || kinds.includes('list');
/** Texts that are no times. */
export const isText = (field: NamedField) => hasTexts(field) && field.dated === null;
/** Numbers that are no times. */
export const isAmount = (field: NamedField) => hasNumbers(field) && field.dated === null;
export const isDated = (field: NamedField) => field.dated !== null;
const BIRTHS = new Set(['birth', 'born', 'birthday', 'birthdate', 'dob']);
export const isBirth = (field: NamedField) => isDated(field) && field.words.some((word) => BIRTHS.has(word));
/** What records can be grouped by, and people mean by a kind. */
export const isCategory = (field: NamedField) => (hasTexts(field) || isFlag(field)) && field.dated === null;

const wordsIn = (text: string) =>
  fold(humanName(text))
    .split(/[^\p{L}\p{N}²]+/u)
    .filter(Boolean)
    .map(nounOf);

function coreOf(words: readonly string[]): string[] {
  const core = words.filter((word) => !MODIFIERS.has(word) && unitNamed(word) === undefined);
  return core.length > 0 ? core : [...words];
}

const YEAR_WORDS = new Set(
  'year founded built established since born released published opened made written vintage model construction'.split(
    ' ',
  ),
);

function datedOf({ kinds, low = 0, high = 0, samples, path }: OutlineField): NamedField['dated'] {
  if (kinds.includes('number')) {
    if (low > EPOCH_MS_MIN) return 'moment';
    const named = wordsIn(path).some((word) => YEAR_WORDS.has(word) || /\w{3}ed$/.test(word));
    return named && low >= YEARS.low && high <= YEARS.high ? 'year' : null;
  }
  const times = samples.length > 0 && samples.every((sample) => ISO_DATE.test(sample));
  return kinds.length === 1 && kinds[0] === 'text' && times ? 'iso' : null;
}

function namedField(field: OutlineField): NamedField {
  const words = wordsIn(field.path);
  return {
    ...field,
    name: nameOfPath(field.path),
    words,
    core: coreOf(words),
    leaf: coreOf(wordsIn(field.path.split('.').at(-1) ?? field.path)),
    // An owner owns, an assignee is assigned.
    stems: new Set(
      words.flatMap((word) => [stemOf(word), stemOf(word.replace(/(?<=\w{3})(?:er|or|ee)$/, ''))]),
    ),
    dated: datedOf(field),
  };
}

/** What every record has apart from its fields. */
function attribute(name: string, said: string, dated: NamedField['dated']): NamedField {
  const words = said.split(' ');
  const kinds: OutlineField['kinds'] = dated ? ['number'] : ['text'];
  return {
    path: name,
    name,
    kinds,
    samples: [],
    words,
    core: words,
    leaf: words,
    stems: new Set(words.map(stemOf)),
    dated,
  };
}
const NAME = attribute('name', 'name', null);
/** When a record came into the workspace: for those that say nothing of their own age. */
export const CREATED = attribute('created_at', 'added', 'moment');
const ATTRIBUTES = [NAME, CREATED, attribute('updated_at', 'updated', 'moment')];

const knownFields = new WeakMap<Outline['types'][number], NamedField[]>();
const knownTypes = new WeakMap<Outline, Map<string, NamedField[]>>();

/** The fields of the types, each path once, with the kinds and range of all of them, and the record's own. */
export function fieldsOf(shape: Outline, named: readonly string[]): NamedField[] {
  const known = knownTypes.get(shape) ?? new Map<string, NamedField[]>();
  knownTypes.set(shape, known);
  const key = JSON.stringify(named);
  const fields = known.get(key) ?? fieldsOfTypes(shape, named);
  known.set(key, fields);
  return fields;
}

function fieldsOfTypes({ types }: Outline, named: readonly string[]): NamedField[] {
  const chosen = types.filter(({ type }) => named.includes(type));
  const fields = chosen.flatMap((entry) => {
    const known = knownFields.get(entry) ?? entry.fields.filter(isLeaf).map(namedField);
    knownFields.set(entry, known);
    return known;
  });
  const merged =
    chosen.length === 1 ? fields : [...Map.groupBy(fields, ({ path }) => path).values()].map(oneOf);
  return [...merged, ...ATTRIBUTES.filter(({ path }) => !merged.some((field) => field.core.join() === path))];
}

const isLeaf = ({ kinds }: OutlineField) => kinds.some((kind) => kind !== 'object');

function oneOf(same: NamedField[]): NamedField {
  const lows = same.flatMap(({ low }) => low ?? []);
  const highs = same.flatMap(({ high }) => high ?? []);
  const [path = ''] = same.map((field) => field.path);
  return namedField({
    path,
    kinds: [...new Set(same.flatMap(({ kinds }) => kinds))],
    ...(lows.length > 0 && { low: Math.min(...lows), high: Math.max(...highs) }),
    samples: [...new Set(same.flatMap(({ samples }) => samples))],
  });
}

/** Words that join the words of a name: "country of shipping", "the customer's city". */
const WITHIN_NAME = new Set(['of', 'the', 'their', 'its', 's']);
const NAME_TOKENS_MAX = 6;

const nameWords = new WeakMap<readonly NamedField[], ReadonlySet<string>>();

/** Particles that names of fields have as one word with their verb: `signup_date`. */
const PARTICLE = /(?<=\w{3})(?:up|in|out|off)$/;
const verbOf = (word: string) => word.replace(PARTICLE, '');

/** Whether the word, its stem or a synonym is part of the name of a field: most words of a text are not. */
function mayName(word: string, fields: readonly NamedField[]): boolean {
  const known =
    nameWords.get(fields) ??
    new Set(fields.flatMap(({ words, stems }) => [...words, ...stems, ...words.map(verbOf)]));
  nameWords.set(fields, known);
  const noun = nounOf(word);
  return [word, noun, stemOf(word), ...synonymsOf(word), ...synonymsOf(noun)].some((one) => known.has(one));
}

/** The fields that the tokens from `i` on name, best and longest first. */
export function fieldAt(
  tokens: readonly Token[],
  i: number,
  fields: readonly NamedField[],
  fits: (field: NamedField) => boolean = () => true,
): FieldMention | undefined {
  if (!mayName(tokens[i]?.word ?? '', fields)) return undefined;
  const run: { word: string; length: number }[] = [];
  for (let at = i; at < tokens.length && at < i + NAME_TOKENS_MAX; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') break;
    if (at > i && WITHIN_NAME.has(token.word)) continue;
    run.push({ word: token.word, length: at - i + 1 });
  }
  const possible = fields.filter(fits);
  for (let count = run.length; count > 0; count--) {
    const said = run.slice(0, count).map(({ word }) => word);
    const found = named(said, possible);
    if (found) return { ...found, length: run[count - 1]?.length ?? count };
  }
  return undefined;
}

function named(
  said: readonly string[],
  fields: readonly NamedField[],
): Omit<FieldMention, 'length'> | undefined {
  const nouns = said.map(nounOf);
  const whole = fields.filter(({ words, core }) => same(nouns, words) || same(nouns, core));
  if (whole.length > 0) return { fields: whole, by: 'name' };
  const leaves = shallowest(fields.filter(({ leaf }) => same(nouns, leaf)));
  if (leaves.length > 0) return { fields: leaves, by: 'name' };
  // A word that names anything may not stand for a field that only has it among others.
  if (said.length === 1 && (MODIFIERS.has(nouns[0] ?? '') || (said[0]?.length ?? 0) < 3)) return undefined;
  const parts = closest(
    fields.filter(({ words }) => nouns.every((noun) => words.includes(noun))),
    nouns.length,
  );
  if (parts.length > 0) return { fields: parts, by: 'part' };
  const roots = nouns.map(stemOf);
  const akin = closest(
    fields.filter(({ stems }) => roots.every((root) => root.length > 1 && stems.has(root))),
    nouns.length,
  );
  if (akin.length > 0) return { fields: akin, by: 'stem' };
  // "signed up": its date of signup.
  const joined = `${roots[0]}${said[1] ?? ''}`;
  const phrasal =
    said.length === 2 && PARTICLE.test(joined) ? fields.filter(({ words }) => words.includes(joined)) : [];
  if (phrasal.length > 0) return { fields: shallowest(phrasal), by: 'stem' };
  if (said.length > 1) return undefined;
  for (const synonym of new Set([...synonymsOf(said[0] ?? ''), ...synonymsOf(nouns[0] ?? '')])) {
    const meant = fields.filter(({ core, leaf }) => same([synonym], core) || same([synonym], leaf));
    const near =
      meant.length > 0
        ? meant
        : closest(
            fields.filter(({ core }) => core.includes(synonym)),
            1,
          );
    if (near.length > 0) return { fields: near, by: 'synonym' };
  }
  return undefined;
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word) => right.includes(word));
}

/** Those with the fewest words more than said, and among them the least nested. */
function closest(fields: NamedField[], said: number): NamedField[] {
  const fewest = Math.min(...fields.map(({ core }) => Math.max(core.length, said)));
  return shallowest(fields.filter(({ core }) => Math.max(core.length, said) === fewest));
}

function shallowest(fields: NamedField[]): NamedField[] {
  const depth = ({ path }: NamedField) => path.split('.').length;
  const least = Math.min(...fields.map(depth));
  return fields.filter((field) => depth(field) === least);
}

export const isMoney = (words: readonly string[]) => words.some((word) => MONEY_FIELDS.includes(word));

/** The one field that holds amounts of money, if one is meant before all others. */
export function moneyField(fields: readonly NamedField[]): NamedField | undefined {
  const amounts = fields.filter((field) => isAmount(field) && isMoney(field.words));
  if (amounts.length < 2) return amounts[0];
  for (const word of MONEY_FIELDS.slice(0, 3)) {
    const exact = amounts.filter(({ core, leaf }) => same([word], core) || same([word], leaf));
    if (exact.length > 0) return only(shallowest(exact));
  }
  return undefined;
}

/** "Best" is by a rating as such: a score of risks is another thing. */
const OF_RATINGS = new Set([
  'average',
  'avg',
  'mean',
  'overall',
  'user',
  'customer',
  'review',
  'critic',
  'total',
]);
const isGeneral = ({ core }: NamedField, dimension: string, word: string): boolean =>
  dimension !== 'rating' || core.every((one) => one === word || OF_RATINGS.has(one));

const VAGUE = new Set(['length', 'size', 'wealth']);

/** The field of a dimension: of the first of its words that fields have, if one field has it. */
export function dimensionField(dimension: string, fields: readonly NamedField[]): NamedField | undefined {
  const words = DIMENSION_FIELDS[dimension] ?? [];
  // Of a thing that has several, "longest" says not which.
  if (VAGUE.has(dimension)) {
    const named = fields.filter((field) => isAmount(field) && field.core.join() === dimension);
    return only(
      named.length > 0
        ? named
        : fields.filter((field) => isAmount(field) && words.some((word) => field.words.includes(word))),
    );
  }
  for (const word of words) {
    const having = fields.filter(
      (field) => isAmount(field) && field.words.includes(word) && isGeneral(field, dimension, word),
    );
    if (having.length > 0) return only(closest(having, 1));
  }
  return dimension === 'price' ? moneyField(fields) : undefined;
}

/** The only field that passes. */
export function only<T>(fields: readonly T[]): T | undefined {
  return fields.length === 1 ? fields[0] : undefined;
}

/** Words of times that are not when a record began, or of a person's birth. */
const LATER = new Set(
  'last next due birth born birthday birthdate dob updated end ended expiry expire expires until returned closed completed delivered modified'.split(
    ' ',
  ),
);

/** The one time that records of the types are dated by: the only one, the one named after the type, or the first. */
export function datedField(fields: readonly NamedField[], types: readonly string[]): NamedField | undefined {
  const own = fields.filter((field) => isDated(field) && !ATTRIBUTES.includes(field));
  if (own.length < 2) return own[0];
  const typeStems = new Set(types.flatMap((type) => wordsIn(type).map(stemOf)));
  const plain = own.filter(
    ({ path, stems }) => /^date$/i.test(path) || [...stems].some((stem) => typeStems.has(stem)),
  );
  return only(plain) ?? only(own.filter(({ words }) => !words.some((word) => LATER.has(word))));
}

/** Where tokens name types. */
export interface TypeMention {
  types: string[];
  at: number;
  length: number;
  /** Whether it is the type's own name, not a synonym. */
  literal: boolean;
}

const typeNames = (shape: Outline) =>
  shape.types.map(({ type }) => ({ type, words: wordsIn(type), kind: typeOf(wordsIn(type).join(' ')) }));

/** Every mention of a type, in order; the words for companies and people are types everywhere. */
export function typeMentions(tokens: readonly Token[], shape: Outline): TypeMention[] {
  const names = typeNames(shape);
  const found: TypeMention[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const mention = typeAt(tokens, at, names);
    if (!mention) continue;
    found.push(mention);
    at += mention.length - 1;
  }
  return found;
}

function typeAt(
  tokens: readonly Token[],
  at: number,
  names: ReturnType<typeof typeNames>,
): TypeMention | undefined {
  const says = (k: number, noun: string) => {
    const token = tokens[at + k];
    return token?.kind === 'word' && (nounOf(token.word) === noun || token.word === noun);
  };
  const whole = names.filter(({ words }) => words.length > 0 && words.every((word, k) => says(k, word)));
  const length = Math.max(0, ...whole.map(({ words }) => words.length));
  if (length > 0)
    return {
      at,
      length,
      literal: true,
      types: whole.filter(({ words }) => words.length === length).map(({ type }) => type),
    };
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const heads = names.filter(({ words }) => words.length > 1 && says(0, words.at(-1) ?? ''));
  if (heads.length === 1) return { at, length: 1, literal: true, types: heads.map(({ type }) => type) };
  const kind = typeOf(nounOf(token.word));
  const alike = names.filter((name) => name.kind === kind && kind !== nounOf(token.word));
  if (alike.length > 0) return { at, length: 1, literal: false, types: alike.map(({ type }) => type) };
  return undefined;
}
