// What is read out of an instruction: sentences of clauses, clauses of requirements, requirements of tests.
import type { Comparison } from './numbers.ts';

export type Test =
  /** All words stand in the item, or in the named fields. */
  | { kind: 'words'; words: string[]; keys: string[] | null; proper: boolean }
  /** `keys` null: any field of the fitting sort; []: a field that no item has. */
  | { kind: 'compare'; comparison: Comparison; keys: string[] | null }
  /** The field is there and not false. */
  | { kind: 'exists'; keys: string[] };

/** Holds when one of its tests does. */
export type Requirement = Test[];

export interface Clause {
  negated: boolean;
  /** The word or mark that led to it; '' for the first. */
  joiner: string;
  requirements: Requirement[];
  /** Types of record that it names. */
  types: string[];
}

export interface Sentence {
  /** `keep`: items must meet it. `remove`: items that meet it go. `prefer`: it only orders. */
  mood: 'keep' | 'remove' | 'prefer';
  clauses: Clause[];
  /** Fields that the sentence orders by. */
  rank: { keys: string[]; descending: boolean } | null;
}
