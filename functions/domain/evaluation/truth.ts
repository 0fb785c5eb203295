// Questions with their true answers, computed from the records in plain code, and whether what was found is true.

import type { JsonObject } from '#contract/json.ts';
import { groupName } from '#contract/record-groups.ts';
import type { SortKey } from '#contract/record-queries.ts';

export interface Row {
  type: string;
  name: string;
  fields: JsonObject;
}

/** The true answer: these records, this number, these numbers by group; null: the records cannot answer it. */
export type Truth =
  | { kind: 'records'; names: string[]; inOrder: boolean }
  | { kind: 'number'; number: number }
  | { kind: 'groups'; groups: (readonly [name: string, number: number])[]; inOrder: boolean }
  | { kind: 'values'; names: string[] }
  | null;

export type Question = readonly [text: string, truth: Truth];

export interface DataSet {
  name: string;
  rows: Row[];
  questions: Question[];
}

/** What a plan finds. */
export type Found =
  | { kind: 'records'; names: string[] }
  | { kind: 'groups'; groups: { values: SortKey[]; measures: SortKey[] }[]; grouped: boolean };

/** Whether the result of a plan is the true answer. */
export function isTrue(found: Found, truth: NonNullable<Truth>): boolean {
  if (found.kind === 'records')
    return truth.kind === 'records' && areSame(found.names, truth.names, truth.inOrder);
  if (truth.kind === 'number') {
    // A number of different values is the number of their groups.
    if (found.grouped) return found.groups.length === truth.number;
    return found.groups[0]?.measures.some((measure) => isNear(measure ?? 0, truth.number)) === true;
  }
  const names = found.groups.map(({ values }) => groupName(values));
  if (truth.kind === 'values') return areSame(names, truth.names, false);
  if (truth.kind !== 'groups') return false;
  const expected = truth.groups.map(([name]) => name);
  const numbers = new Map(truth.groups);
  const exact = found.groups.every(({ measures }, i) =>
    measures.some((measure) => isNear(measure ?? 0, numbers.get(names[i] ?? '') ?? Number.NaN)),
  );
  return exact && areSame(names, expected, truth.inOrder);
}

function isNear(a: unknown, b: number): boolean {
  return typeof a === 'number' && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}

const areSame = (left: string[], right: string[], inOrder: boolean): boolean =>
  JSON.stringify(inOrder ? left : left.toSorted()) === JSON.stringify(inOrder ? right : right.toSorted());
