// Replaces functions/platform/json.ts: requests share a thread, so the long lists of an object are written and parsed
// in pieces. The text is plain JSON; a line break within it, which JSON ignores, marks where a piece ends.
import { mapInTurns, nextTurn } from './turns.ts';

/** Members of a list per piece. */
const PIECE = 200;
/** Separates the pieces. JSON strings escape line breaks, so the text has no others. */
const LINE = '\n';
/** The name of a list in pieces, at the end of the line before its first piece. */
const LIST = /("(?:[^"\\]|\\.)*"):\[$/;

/** The JSON text of a value: that of `JSON.stringify`, with line breaks around the pieces of an object's long lists. */
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
  return `[${LINE}${pieces.join(`,${LINE}`)}${LINE}]`;
}

/** The value of a JSON text; one that `writeJson` wrote in pieces is parsed in pieces. Rejects with SyntaxError. */
export async function parseJson(text: string): Promise<unknown> {
  if (!text.includes(LINE)) return JSON.parse(text);
  await nextTurn();
  const lists: { name: string; pieces: string[] }[] = [];
  let frame = '';
  for (const line of text.split(LINE)) {
    const within = frame.endsWith('[') && !line.startsWith(']');
    if (within) {
      lists.at(-1)?.pieces.push(line.endsWith(',') ? line.slice(0, -1) : line);
      continue;
    }
    frame += line;
    const name = LIST.exec(line)?.[1];
    if (name !== undefined) lists.push({ name: JSON.parse(name), pieces: [] });
  }
  const value: unknown = JSON.parse(frame);
  for (const { name, pieces } of lists) {
    const list: unknown = Reflect.get(Object(value), name);
    const members = await mapInTurns(pieces, (piece): unknown[] => JSON.parse(`[${piece}]`));
    if (Array.isArray(list)) for (const some of members) list.push(...some);
  }
  return value;
}
