// Makes JSON of unknown origin keepable: what the table, the checkpoints and every reader return unchanged.
import { walkJson } from './walk-json.ts';

/** The magnitudes of numbers that the table can store (DynamoDB: up to 1E126, 38 digits). */
const MAX_MAGNITUDE = 1e125;
const MIN_MAGNITUDE = 1e-130;
/** Far deeper than any answer or record nests, and shallow enough for recursive readers. */
const MAX_DEPTH = 200;

/** The value as it can be kept, or why it cannot be. */
export type Keepable = { ok: true; value: unknown } | { ok: false; fault: string };

/** Lone surrogates become U+FFFD. A number out of range and nesting of more than 200 levels cannot be mended. */
export function keepable(value: unknown): Keepable {
  const fault = walkJson(value, (member, path) =>
    path.length > MAX_DEPTH ? `It nests deeper than ${MAX_DEPTH} levels.` : numberFault(member),
  );
  return fault === undefined ? { ok: true, value: wellFormed(value) } : { ok: false, fault };
}

function numberFault(value: unknown): string | undefined {
  if (typeof value !== 'number' || value === 0) return undefined;
  const size = Math.abs(value);
  return size <= MAX_MAGNITUDE && size >= MIN_MAGNITUDE
    ? undefined
    : 'It has a number outside ±1E125, or nearer to zero than 1E-130.';
}

/** Members keep any name, `__proto__` included. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
}
