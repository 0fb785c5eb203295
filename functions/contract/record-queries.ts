// Queries over a workspace's records, and their results. The index answers with ids; the table has the records.
import type { FieldSort, GroupField, Measure, Scalar, SortWord, Where } from './conditions.ts';
import type { Direction, EntityRef } from './entities.ts';
import type { DescribedSource } from './live-sources.ts';

/** A selection of records: of these types (null: all), matching the condition and at least one of the words. */
export interface Selection {
  types: string[] | null;
  where?: Where | undefined;
  /** Words as `contentWords` makes them; [] matches nothing, undefined does not select by words. */
  words?: string[] | undefined;
  /** Whether a record's type also counts as a word. */
  type_is_word?: boolean | undefined;
}

/** A sortable value: numbers, then strings, then booleans; null is absent and last in either direction. */
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

/** Half of a surrogate pair ranks above all characters outside pairs. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export interface Hit {
  id: string;
  /** The record as JSON. */
  body: string;
  /** Similarity to the words or the vector; absent without either. */
  score?: number;
  /** The hit's sort keys, so that hits of two workspaces can be merged. */
  keys: SortKey[];
}

export interface Found {
  hits: Hit[];
  /** The exact number of selected records. */
  matched: number;
}

export interface FindQuery extends Selection {
  /** `as_read`: the order in which the records came into the index. */
  sort: SortWord | 'as_read' | FieldSort[];
  limit: number;
}

/** How groups are made and which are wanted. `sort` names measures or grouped fields; default: the first measure. */
export interface GroupOrder {
  group_by: GroupField[];
  measures: Measure[];
  sort: FieldSort[] | undefined;
  limit: number;
}

export interface GroupQuery extends Selection, GroupOrder {}

export interface FoundGroups {
  rows: GroupRow[];
  /** The exact number of groups. */
  matched: number;
}

/** A search by name: all words of `text`, the last as a prefix; undefined: any name. */
export interface NameQuery {
  text?: string | undefined;
  type?: string | undefined;
  limit: number;
}

/** A record found by name. */
export interface NamedRecord {
  id: string;
  name: string;
  type: string;
  external_uri?: string;
}

/** An outside name, or the type and name of a line without one, which names what an import made of such lines. */
export type RecordName = Exclude<EntityRef, { id: string }> | { type: string; name: string };

/** An entity that has a name. */
export interface Holder {
  id: string;
  created_at: number;
}

/** One group: its values (null: absent) and the parts of its measures. */
export interface GroupRow {
  values: SortKey[];
  measures: MeasureParts[];
}

/** `count` of the values; `sum` for sum and avg; `number` and `text` are the minimum or maximum of their kind. */
export interface MeasureParts {
  count: number;
  sum?: number | null;
  number?: number | null;
  text?: string | null;
}

export interface NearestQuery extends Selection {
  vector: readonly number[];
  /** Which embedding made it; absent: the offline one. Only its vectors are compared. */
  vector_of?: string;
  limit: number;
  min_score: number;
}

/** How many records a workspace has, and how many vectors of each embedding. */
export interface VectorCounts {
  records: number;
  vectors: { vector_of: string; count: number }[];
}

export const fieldKinds = ['number', 'text', 'boolean', 'list', 'object'] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** How many fields of a type an outline shows at most. */
export const OUTLINE_FIELDS_MAX = 40;

/** A summary of a workspace's records, maintained with the index and never computed per request. */
export interface Outline {
  types: { type: string; count: number; fields: OutlineField[] }[];
  /** Live sources, if the workspace has any. */
  sources?: DescribedSource[];
}

export interface OutlineField {
  path: string;
  kinds: FieldKind[];
  /** Range of the numbers, or wider after a deletion; absent without any. */
  low?: number;
  high?: number;
  /** A sample of its short texts. */
  samples: string[];
  /** How many different short texts records of any type have in it; absent where some are longer. */
  distinct_texts?: number;
}

/** A type with all its fields, exactly as the records have them. */
export interface DescribedType {
  type: string;
  count: number;
  fields: DescribedField[];
}

export interface DescribedField {
  path: string;
  /** `date` alone where every value is a text that is one. */
  kinds: (FieldKind | 'date')[];
  /** Range of the numbers, or of the dates. */
  low?: number | string;
  high?: number | string;
  /** How many records have it. */
  count: number;
  samples: Scalar[];
}

/** Whether records of these types (null: all) have fields of these paths. */
export interface FieldQuery {
  types: string[] | null;
  paths: string[];
}

export interface FoundFields {
  has_records: boolean;
  /** Paths that no record has. */
  missing: string[];
  /** All paths that records have, if one is missing. */
  known: string[];
}

/** A field value that a text mentions, as spelled in the records. */
export interface MentionedValue {
  path: string;
  value: string;
  /** Types that have the field. */
  types: string[];
}

/** Selects relationships whose ends both exist. */
export interface RelationshipQuery {
  words?: string[] | undefined;
  /** Types that at least one end must have; null: any. */
  types: string[] | null;
  sort: SortWord;
  limit: number;
}

/** A relationship of a record, with its other end. */
export interface RecordLink {
  direction: Direction;
  type: string;
  entity_id: string;
  name: string;
  entity_type: string;
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
  /** The exact number of selected relationships. */
  matched: number;
}

/** A relationship with its similarity to the words, if there were any. */
interface FoundLink extends Link {
  score?: number;
}
