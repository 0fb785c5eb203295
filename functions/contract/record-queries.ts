// What may be asked of a workspace's records, and what comes back. The index of records answers with ids; the table says what they are.
import type { FieldSort, Measure, Scalar, SortWord, Where } from './conditions.ts';

/** Which records are meant: of these types (null: all), that meet the condition and hold one of the words or more. */
export interface Selection {
  types: string[] | null;
  where?: Where | undefined;
  /** Words as `contentWords` makes them; [] matches nothing, undefined does not select by words. */
  words?: string[] | undefined;
  /** Whether the type of a record is a word to find it by. */
  type_is_word?: boolean | undefined;
}

/** A value as it sorts: numbers, then strings, then booleans; null is absent and last either way. */
export type SortKey = Scalar | null;

/** Compares two sort keys ascending: numbers, strings by code point, booleans. Neither may be null. */
export function compareKeys(left: Scalar, right: Scalar): number {
  const rank = (value: Scalar) => (typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2);
  if (rank(left) !== rank(right)) return rank(left) - rank(right);
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  return Number(left) - Number(right);
}

/** Compares two texts by code point, as SQLite does. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return left.length - right.length;
}

/** Half of a pair of surrogates stands for a character beyond all that have no pair. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export interface Hit {
  id: string;
  /** The record as JSON. */
  body: string;
  /** Likeness to the words or the vector; absent where neither was asked for. */
  score?: number;
  /** What the hit was sorted by, so that hits of two workspaces can be merged. */
  keys: SortKey[];
}

export interface Found {
  hits: Hit[];
  /** How many records were selected, exactly. */
  matched: number;
}

export interface FindQuery extends Selection {
  sort: SortWord | FieldSort[];
  limit: number;
}

export interface GroupQuery extends Selection {
  group_by: string[];
  measures: Measure[];
  /** Which groups are asked for; absent: all, in no order, to be merged with others. */
  first?: { sort: FieldSort[] | undefined; limit: number } | undefined;
}

export interface FoundGroups {
  rows: GroupRow[];
  /** How many groups there are, exactly. */
  matched: number;
}

/** What is asked for of the names of records: all words of `text`, the last one as the beginning of a word; undefined: any name. */
export interface NameQuery {
  text?: string | undefined;
  type?: string | undefined;
  limit: number;
}

/** A record found by its name. */
export interface NamedRecord {
  id: string;
  name: string;
  type: string;
  external_uri?: string;
}

/** One group: its values (null: absent) and the parts that its measures are made of. */
export interface GroupRow {
  values: SortKey[];
  measures: MeasureParts[];
}

/** `count` of the values taken; `sum` for sum and avg; `number` and `text` are the least or greatest of their kind. */
export interface MeasureParts {
  count: number;
  sum?: number | null;
  number?: number | null;
  text?: string | null;
}

export interface NearestQuery extends Selection {
  vector: ArrayLike<number>;
  limit: number;
  min_score: number;
}

export const fieldKinds = ['number', 'text', 'boolean', 'list', 'object'] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** What a workspace holds, in short: kept with the index, never computed for a request. */
export interface Outline {
  types: { type: string; count: number; fields: OutlineField[] }[];
}

export interface OutlineField {
  path: string;
  kinds: FieldKind[];
  /** Range of the numbers ever seen; absent without any. */
  low?: number;
  high?: number;
  /** Some of its short texts. */
  samples: string[];
}

/** A value of a field that a text mentions, as spelled on the records. */
export interface MentionedValue {
  path: string;
  value: string;
  /** Types whose records have the field. */
  types: string[];
}

/** What is asked for of the relationships whose both ends exist. */
export interface RelationshipQuery {
  words?: string[] | undefined;
  /** Types of which one end at least must be; null: any. */
  types: string[] | null;
  sort: SortWord;
  limit: number;
}

/** A relationship as the index knows it. */
export interface Link {
  id: string;
  type: string;
  from_id: string;
  to_id: string;
}

export interface FoundLinks {
  links: FoundLink[];
  /** How many relationships were selected, exactly. */
  matched: number;
}

/** A relationship with its likeness to the words, where words were asked for. */
interface FoundLink extends Link {
  score?: number;
}
