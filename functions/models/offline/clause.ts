// The parsed form of an instruction: sentences of clauses, clauses of requirements, requirements of tests.
import type { Comparison } from './numbers.ts';

export type Test =
  /** All words occur in the item, or in the named fields. */
  | { kind: 'words'; words: string[]; keys: string[] | null; proper: boolean }
  /** `keys` null: any field of a fitting kind; []: a field that no item has. */
  | { kind: 'compare'; comparison: Comparison; keys: string[] | null }
  /** The field is present and not false. */
  | { kind: 'exists'; keys: string[] };

/** True when one of its tests is. */
export type Requirement = Test[];

export interface Clause {
  negated: boolean;
  /** The word or mark that introduced it; '' for the first. */
  joiner: string;
  requirements: Requirement[];
  /** The record types that it names. */
  types: string[];
}

export interface Sentence {
  /** `keep`: items must match. `remove`: matching items are dropped. `prefer`: affects the order only. */
  mood: 'keep' | 'remove' | 'prefer';
  clauses: Clause[];
  /** The fields that the sentence sorts by. */
  rank: { keys: string[]; descending: boolean } | null;
}
