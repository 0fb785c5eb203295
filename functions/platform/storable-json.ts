// Makes JSON of unknown origin keepable: what the table, the checkpoints and every reader return unchanged.
import { cut } from './cut.ts';
import { inexactLiteral } from './exact-numbers.ts';
import { type JsonFault, jsonFault, STORED_MAGNITUDES } from './json-faults.ts';
import { walkJson } from './walk-json.ts';

const LITERAL_SHOWN_MAX = 100;

/** Far deeper than any answer or record nests, and shallow enough for recursive readers. */
const BOUNDS = { levels: 200, magnitudes: STORED_MAGNITUDES };
/** What cannot be mended. */
const faults: Partial<Record<JsonFault, string>> = {
  deep: `It nests deeper than ${BOUNDS.levels} levels.`,
  number: 'It has a number outside ±1E125, or nearer to zero than 1E-130.',
};

/** The value as it can be kept, or why it cannot be. */
export type StorableJson = { ok: true; value: unknown } | { ok: false; fault: string };

/**
 * Lone surrogates become U+FFFD. A number out of range, one that a double does not keep (in a marked text), and nesting
 * of more than 200 levels cannot be mended.
 */
export function asStorable(value: unknown): StorableJson {
  const fault = walkJson(value, (member, path) => {
    const literal = inexactLiteral(member);
    if (literal !== undefined)
      return `${path.join('.')} is ${cut(literal, LITERAL_SHOWN_MAX)}, a number that is not kept as it is: write it as a text.`;
    const found = jsonFault(member, path, BOUNDS);
    return found && faults[found];
  });
  return fault === undefined ? { ok: true, value: wellFormed(value) } : { ok: false, fault };
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
