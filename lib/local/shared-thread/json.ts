// Replaces functions/platform/json.ts: requests share a thread, so the long lists of an object are written in pieces,
// and long texts are parsed in pieces.
import { parseInPieces } from './parse-in-pieces.ts';
import { inTurns, mapInTurns, nextTurn } from './turns.ts';

/** Members of a list per piece. */
const PIECE = 200;

/** The JSON text of a value: that of `JSON.stringify`. */
export async function writeJson(value: unknown): Promise<string> {
  if (!hasLong(value)) return JSON.stringify(value);
  await nextTurn();
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = isLong(member) ? await writeList(member) : JSON.stringify(member);
    // Like JSON.stringify, omit members that JSON cannot express.
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

function hasLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return false;
  return Object.values(value).some(isLong);
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > PIECE;
}

async function writeList(list: readonly unknown[]): Promise<string> {
  const starts = Array.from({ length: Math.ceil(list.length / PIECE) }, (_, i) => i * PIECE);
  const pieces = await mapInTurns(starts, (at) => JSON.stringify(list.slice(at, at + PIECE)).slice(1, -1));
  return `[${pieces.join(',')}]`;
}

/** Texts of this length are parsed at once. */
const SHORT = 64 * 1024;

/** The value of a JSON text; a long one is parsed in pieces. Rejects with SyntaxError. */
export async function parseJson(text: string): Promise<unknown> {
  if (text.length <= SHORT) return JSON.parse(text);
  await nextTurn();
  return inTurns(parseInPieces(text));
}
