// What of a workspace a query's prompt shows: all types and fields where they fit, else those that the query can mean.
import type { MentionedValue, Outline, OutlineField } from '#contract/record-queries.ts';
import { cut } from '#platform/cut.ts';
import { wordsOf } from '#platform/words.ts';
import { fitItems, sizeOf } from './fit.ts';
import { COMMON, type Halves, type KnownWorkspace, type ModelItem, shortened } from './model-task.ts';
import { ShortIds } from './short-ids.ts';

/** The size of a prompt where no limit is given. */
const PROMPT_BYTES = 86_000;
/** The outline takes at most this part of a prompt, and the records that a query names this one. */
const OUTLINE_PART = 1 / 4;
const CANDIDATES_PART = 1 / 8;
const CANDIDATES_BYTES_MAX = 6000;
const VALUES_PART = 1 / 16;
/** Up to this size the outline shows what all fields hold, beyond it only what the query may mean. */
const DETAILS_BYTES_MAX = 10_000;
const MEANT_BYTES_MAX = 1000;
/** A longer prompt only costs more: names that the query can mean come first. */
const WHOLE_BYTES_MAX = 18_000;
const OUTLINE_BYTES_MIN = 6000;
/** A value that more types have is shown without them. */
const VALUE_TYPES_MAX = 5;
/** Texts of a field tell what it holds only where they are few. */
const DISTINCT_TEXTS_MAX = 50;
const SAMPLES_BYTES_MAX = 120;
const SOURCE_DESCRIPTION_MAX = 300;

/** A type as shown; `fields` with what they hold, `others` by kind alone. */
interface ShownType {
  type: string;
  records: number;
  fields?: Record<string, string>;
  others?: Record<string, string[]>;
}

/** The workspace's part of the data. `prompt`: the task's instructions; `request`: what else the prompt holds. */
export function shownWorkspace(known: KnownWorkspace & { query: string }, prompt: string, request: object) {
  const { values, candidates, prompt_bytes = PROMPT_BYTES } = known;
  const named = fitItems(
    candidateIds(candidates).items,
    Math.min(prompt_bytes * CANDIDATES_PART, CANDIDATES_BYTES_MAX),
  ).items;
  const mentioned = firstThatFit(
    values.map(({ types, ...value }) => ({ ...value, ...(types.length <= VALUE_TYPES_MAX && { types }) })),
    prompt_bytes * VALUES_PART,
  );
  const taken = Buffer.byteLength(COMMON + prompt) + sizeOf({ request, mentioned, named }) + MARGIN;
  const most = Math.max(WHOLE_BYTES_MAX - taken, OUTLINE_BYTES_MIN);
  const room = Math.min(prompt_bytes * OUTLINE_PART, prompt_bytes - taken, most);
  return { shape: outlineFor(known, room), values: mentioned, candidates: named };
}

/** Line breaks, marks and the names of blocks. */
const MARGIN = 150;

/** Candidates with short ids. */
export function candidateIds(candidates: ModelItem[]): { ids: ShortIds; items: ModelItem[] } {
  const ids = new ShortIds(candidates.map(({ id }) => id));
  return { ids, items: candidates.map((candidate) => ids.item(candidate)) };
}

/** The day with its weekday. */
export function dayOf(today: string): string {
  const day = new Date(`${today}T00:00:00Z`);
  const weekday = day.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  return `${today}, ${weekday}, UTC`;
}

function firstThatFit<T>(all: readonly T[], bytes: number): T[] {
  let left = bytes;
  return all.filter((one) => {
    left -= sizeOf(one) + 1;
    return left >= 0;
  });
}

/** What a query says, to compare names with. */
interface Meaning {
  words: ReadonlySet<string>;
  values: readonly MentionedValue[];
  types: ReadonlySet<string>;
}

const wordsOfName = (name: string) =>
  wordsOf(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_.]/g, ' '));

/** How many words of a name the query has. */
const namedBy = (name: string, { words }: Meaning): number =>
  wordsOfName(name).filter((word) => words.has(word)).length;

/** How likely the query means a field: 0 if nothing says so. */
function meantBy(type: string, { path }: OutlineField, meaning: Meaning): number {
  const isMentioned = meaning.values.some((value) => value.path === path && value.types.includes(type));
  return namedBy(path, meaning) + (isMentioned ? 2 : 0);
}

function outlineFor({ shape, query, values, candidates }: KnownWorkspace & { query: string }, room: number) {
  const meaning = {
    words: new Set(wordsOf(query)),
    values,
    types: new Set(candidates.map(({ type }) => type)),
  };
  const { sources = [] } = shape;
  const shownSources = firstThatFit(
    sources.map((source) => ({ ...source, description: cut(source.description, SOURCE_DESCRIPTION_MAX) })),
    Math.max(room / 2, 0),
  );
  const left = room - sizeOf(shownSources);
  return {
    types: typesFor(shape.types, meaning, left),
    ...(sources.length > 0 && { sources: shownSources }),
  };
}

type OutlineType = Outline['types'][number];

function typesFor(types: Outline['types'], meaning: Meaning, room: number): ShownType[] {
  const whole = types.map((type) => shownType(type, type.fields.length, () => true));
  if (sizeOf(whole) <= Math.min(room, DETAILS_BYTES_MAX)) return whole;
  const ranked = types
    .map((type) => ({ type, fields: fieldsInOrder(type, meaning) }))
    .toSorted((one, other) => rankOf(other.type, meaning) - rankOf(one.type, meaning));
  const shown = new Map<string, ShownType>();
  let left = room;
  for (const { type } of ranked) {
    const bare = { type: type.type, records: type.count };
    left -= sizeOf(bare) + 1;
    if (left < 0) break;
    shown.set(type.type, bare);
  }
  // Fields of types that are meant come before others. What the meant fields hold takes its room first.
  const details = detailsOf(ranked, meaning, Math.min(Math.max(left, 0) / 2, MEANT_BYTES_MAX));
  for (const { type, fields } of ranked) {
    const before = shown.get(type.type);
    if (!before) continue;
    left += sizeOf(before);
    const after = asMuchAs(left, type, fields, (field) => details.has(field)) ?? before;
    left -= sizeOf(after);
    shown.set(type.type, after);
  }
  return types.flatMap(({ type }) => shown.get(type) ?? []);
}

/** The fields that the query means most, as many as have room for what they hold. */
function detailsOf(
  types: { type: OutlineType; fields: OutlineField[] }[],
  meaning: Meaning,
  room: number,
): ReadonlySet<OutlineField> {
  const meant = types.flatMap(({ type: { type }, fields }) =>
    fields
      .map((field) => ({ field, by: meantBy(type, field, meaning) }))
      .filter(({ by }) => by > 0)
      .map(({ field, by }) => ({ field, by: by + namedBy(type, meaning) })),
  );
  const inOrder = meant.toSorted((one, other) => other.by - one.by).map(({ field }) => field);
  let left = room;
  return new Set(
    inOrder.filter((field) => {
      left -= sizeOf(holdsOf(field)) + 1;
      return left >= 0;
    }),
  );
}

function rankOf({ type, fields }: OutlineType, meaning: Meaning): number {
  const meant = fields.map((field) => meantBy(type, field, meaning)).reduce((sum, by) => sum + by, 0);
  return meant + (namedBy(type, meaning) + Number(meaning.types.has(type))) * 100;
}

function fieldsInOrder({ type, fields }: OutlineType, meaning: Meaning): OutlineField[] {
  return fields.toSorted((one, other) => meantBy(type, other, meaning) - meantBy(type, one, meaning));
}

/** The type with as many fields as fit. */
function asMuchAs(
  room: number,
  type: OutlineType,
  fields: OutlineField[],
  isDetailed: (field: OutlineField) => boolean,
): ShownType | undefined {
  let [low, high] = [0, fields.length];
  const having = (count: number) => shownType({ ...type, fields }, count, isDetailed);
  if (sizeOf(having(0)) > room) return undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(having(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return having(low);
}

function shownType(
  { type, count, fields }: OutlineType,
  most: number,
  isDetailed: (field: OutlineField) => boolean,
): ShownType {
  const taken = fields
    .slice(0, most)
    .map((field) => ({ field, holds: isDetailed(field) ? holdsOf(field) : '' }));
  const detailed = taken.filter(({ holds }) => holds !== '');
  const others = Map.groupBy(
    taken.filter(({ holds }) => holds === ''),
    ({ field }) => kindsOf(field),
  );
  return {
    type,
    records: count,
    ...(detailed.length > 0 && {
      fields: Object.fromEntries(detailed.map(({ field, holds }) => [field.path, holds])),
    }),
    ...(others.size > 0 && {
      others: Object.fromEntries(
        [...others].map(([kinds, same]) => [kinds, same.map(({ field }) => field.path)]),
      ),
    }),
  };
}

const kindsOf = ({ kinds }: OutlineField) => kinds.join(' or ') || 'text';

/** What a field holds, beyond its kind; '' if that is not known, or nothing that tells. */
function holdsOf(field: OutlineField): string {
  const { low, high, samples, distinct_texts = Number.POSITIVE_INFINITY } = field;
  const range = low !== undefined && high !== undefined ? ` ${low} to ${high}` : '';
  const shown = distinct_texts > DISTINCT_TEXTS_MAX ? [] : firstThatFit(samples, SAMPLES_BYTES_MAX);
  const more = shown.length < distinct_texts ? ' | …' : '';
  const texts = shown.length > 0 ? `: ${shown.join(' | ')}${more}` : '';
  return range === '' && texts === '' ? '' : `${kindsOf(field)}${range}${texts}`;
}

/** The same query with half of the prompt. */
export function halfTheWorkspace<Input extends KnownWorkspace, Output>(input: Input): Halves<Input, Output> {
  const prompt_bytes = (input.prompt_bytes ?? PROMPT_BYTES) / 2;
  return shortened({ ...input, prompt_bytes }, { left_out: 0, of: 0 });
}
