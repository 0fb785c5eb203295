// Long JSON, written and read in turns: what a run reads and makes is an object with a list of thousands, and `JSON` itself takes no breath.
import { mapInTurns } from './turns.ts';

/** Shorter ones are read at once. */
const LONG_CHARACTERS = 100_000;

/** The text that `JSON.stringify` makes of a value; of an object, the members of each list that it holds are written in turns. */
export async function writeJson(value: unknown): Promise<string> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  if (Array.isArray(value)) return writeList(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = Array.isArray(member) ? await writeList(member) : JSON.stringify(member);
    // As in JSON, what has no text is left out.
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

async function writeList(list: readonly unknown[]): Promise<string> {
  return `[${(await mapInTurns(list, (member) => JSON.stringify(member) ?? 'null')).join(',')}]`;
}

/** The value that `JSON.parse` reads from a text; a long one that `writeJson` wrote is read in turns. Throws SyntaxError. */
export async function readJson(text: string): Promise<unknown> {
  if (text.length < LONG_CHARACTERS || !text.startsWith('{"')) return JSON.parse(text);
  const members: [string, unknown][] = [];
  for (let at = 0; text[at] === '{' || text[at] === ','; ) {
    const nameEnd = endOfString(text, at + 1);
    const name: string = JSON.parse(text.slice(at + 1, nameEnd));
    const start = nameEnd + 1;
    const end = endOfValue(text, start);
    const member = text.slice(start, end);
    members.push([name, text[start] === '[' ? await readList(member) : JSON.parse(member)]);
    at = end;
  }
  return Object.fromEntries(members);
}

function readList(text: string): Promise<unknown[]> {
  return mapInTurns(membersOf(text), (member) => JSON.parse(member));
}

function* membersOf(list: string): Generator<string> {
  for (let at = 0; list[at] !== ']' && list[at + 1] !== ']'; ) {
    const end = endOfValue(list, at + 1);
    yield list.slice(at + 1, end);
    at = end;
  }
}

/** Where the string that begins at `start` has ended. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === '\\') first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  throw new SyntaxError('a string without an end');
}

const SIGN = /["[\]{},]/g;

/** Where the value that begins at `start` has ended. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  SIGN.lastIndex = start;
  for (let found = SIGN.exec(text); found; found = SIGN.exec(text)) {
    const { 0: sign, index } = found;
    if (depth === 0 && (sign === ',' || sign === ']' || sign === '}')) return index;
    if (sign === '"') SIGN.lastIndex = endOfString(text, index);
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign !== ',') depth -= 1;
  }
  throw new SyntaxError('a value without an end');
}
