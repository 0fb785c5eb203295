// Reads what an answer means: a slip that changes no meaning is mended here, not asked for again.
import { isJsonObject, type JsonObject } from '#contract/json.ts';

/** A name without case, spaces, `_` and `-`. */
export const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

/** The members of an object; none of anything else. */
export const membersIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** A member by its name, in any spelling. */
export function memberIn(value: unknown, name: string): unknown {
  const members = membersIn(value);
  if (Object.hasOwn(members, name)) return members[name];
  const wanted = folded(name);
  return Object.entries(members).find(([key]) => folded(key) === wanted)?.[1];
}

/** A list; a single value is a list of it. */
export function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** A text without space around it; '' if there is none. */
export function textIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A list of texts, without empty ones. */
export const textsIn = (value: unknown): string[] => listIn(value).map(textIn).filter(Boolean);

export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const YES: ReadonlySet<unknown> = new Set([true, 1, 'true', 'yes']);
const NO: ReadonlySet<unknown> = new Set([false, 0, 'false', 'no']);

export function flagIn(value: unknown): boolean | undefined {
  const said = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (YES.has(said)) return true;
  return NO.has(said) ? false : undefined;
}

const BEST = 3;

/** A score from 0 to 1: one of the four steps, clamped; a fraction stays. */
export function scoreIn(value: unknown): number | undefined {
  const score = numberIn(value);
  if (score === undefined) return undefined;
  const isFraction = score > 0 && score < 1;
  return isFraction ? score : Math.min(Math.max(score, 0), BEST) / BEST;
}

/** The one of these names that is meant. */
export function nameIn(value: unknown, names: readonly string[]): string | undefined {
  const said = textIn(value);
  if (names.includes(said)) return said;
  const wanted = folded(said);
  const same = names.filter((name) => folded(name) === wanted);
  return same.length === 1 ? same[0] : undefined;
}
