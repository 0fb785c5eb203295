// Parts of the data with their basis, or why they are missing, and how parts are joined.
import type { Json } from '#contract/json.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import type { OutputIssue } from './conform.ts';
import { type Extracted, extract, type namedAs } from './read-field.ts';

/** A part of the data; its paths start at the part. */
export interface Built extends Extracted {
  left_out: { path: string; left_out: number }[];
  truncated: { path: string; matched: number; returned: number }[];
}

/** Why a place has no value, which one, and how many elements it could have had. */
export type Missing = { missing: OutputIssue; left_out?: number };

/** What the elements of the root's arrays may still take. */
export interface Budget {
  data: number;
  basis: number;
}

/** The length of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Nothing names or has a value for the place. */
export const absent = (path = ''): Missing => ({
  missing: { path, message: 'is required, and nothing at hand has it' },
});

/** A part of which nothing was left out. */
export const whole = (part: Extracted): Built => ({ ...part, left_out: [], truncated: [] });

/** The value of a field, if it fits the schema. */
export function valueOrMissing(schema: OutputSchema, found: ReturnType<typeof namedAs>): Built | Missing {
  const value = found && extract(schema, found);
  return value ? whole(value) : absent();
}

/** Takes the room of an element, with its comma; false if there is too little. */
export function fitsBudget(room: Budget, { json, basis }: Built): boolean {
  const data = bytesOf(json) + 1;
  const of = bytesOf(basis);
  if (data > room.data || of > room.basis) return false;
  room.data -= data;
  room.basis -= of;
  return true;
}

/** The part as the member or element `key` of another. */
export function below(key: string | number, { json, basis, left_out, truncated }: Built): Built {
  const start = pointerTo('', key);
  const moved = <T extends { path: string }>(entries: T[]) =>
    entries.map((entry) => ({ ...entry, path: start + entry.path }));
  return { json, basis: moved(basis), left_out: moved(left_out), truncated: moved(truncated) };
}

/** An object or array of these parts. */
export function joined(json: Json, parts: Built[]): Built {
  return {
    json,
    basis: parts.flatMap(({ basis }) => basis),
    left_out: parts.flatMap(({ left_out }) => left_out),
    truncated: parts.flatMap(({ truncated }) => truncated),
  };
}
