// The JSON object in what a model wrote: bare, in a code fence, behind its thoughts, or within prose (rules.md: models
// 6). What is left out is never shown.
import { isJsonObject, type JsonObject } from '#contract/json.ts';
import { markInexact } from '#platform/exact-numbers.ts';

/** The end of a block of thoughts; servers often leave its beginning out. */
const THOUGHTS_END = /^[\s\S]*<\/(?:think|thinking|thought|thoughts|reasoning)>/i;
const FENCE = /```[^\n`]*\n([\s\S]*?)```/g;
/** How many characters are looked at in all: a text of brackets that never close is not searched for ever. */
const CHARACTERS_MAX = 10_000_000;

/**
 * The object, in which a number that a double does not keep is marked; undefined when there is none, or more than one.
 */
export function jsonInText(text: string): JsonObject | undefined {
  const whole = objectOf(text);
  if (whole) return whole;
  const said = text.replace(THOUGHTS_END, '');
  const fences = [...said.matchAll(FENCE)].map(([, inside = '']) => inside);
  const [only] = fences;
  const fenced = fences.length === 1 && only !== undefined ? objectOf(only) : undefined;
  if (fenced) return fenced;
  const found = objectsIn(said);
  return found.length === 1 ? found[0] : undefined;
}

function objectOf(text: string): JsonObject | undefined {
  const value = parsed(text.replace(/^\uFEFF/, ''));
  return isJsonObject(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(markInexact(text));
  } catch {
    return undefined;
  }
}

/** The objects that stand in a text by themselves: those within a list are parts of that list. */
function objectsIn(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let left = CHARACTERS_MAX;
  for (let at = nextStart(text, 0); at >= 0 && left > 0; ) {
    const end = endOf(text, at);
    left -= (end ?? text.length) - at;
    // What an answer that was cut off still holds are parts of it.
    if (end === undefined && CUT_OFF.test(text.slice(at, at + 20))) break;
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (isJsonObject(value)) found.push(value);
    at = nextStart(text, value === undefined || end === undefined ? at + 1 : end);
  }
  return found;
}

/** How JSON begins, where prose would not. */
const CUT_OFF = /^(?:\{\s*"|\[\s*[[{"])/;
const START = /[[{]/g;

function nextStart(text: string, from: number): number {
  START.lastIndex = from;
  return START.exec(text)?.index ?? -1;
}

/** The end of the brackets that open at `start`; undefined when they do not close. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
