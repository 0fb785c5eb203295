// Parses a long JSON text piece by piece, as work for turns. `JSON.parse` reads every piece, so that each character of
// the text is checked by it, or here.

/** Characters of a piece, about. */
const PIECE = 32 * 1024;
const BLANK = /^[ \t\n\r]*$/;
const [QUOTE, BACKSLASH, COMMA, ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** An array or object of the text that has not ended. */
interface Open {
  closer: '}' | ']';
  /** Where its own bracket stands. */
  start: number;
  /** What was parsed of it; undefined while all of it may still become part of a piece. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Where the text begins that is not parsed. */
  from: number;
  /** What stands before `from`. */
  after: 'bracket' | 'comma' | 'member';
  /** Where the current member begins. */
  member: number;
}

/**
 * The value of a JSON text, as `JSON.parse` returns it. Members are parsed once they have more than `piece` characters.
 * Throws SyntaxError.
 */
export function* parseInPieces(text: string, piece = PIECE): Generator<void, unknown, void> {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === ARRAY || sign === OBJECT) {
      if (open.length === 0 && !BLANK.test(text.slice(0, at))) throw broken();
      open.push(begun(sign === ARRAY ? ']' : '}', at));
    } else if (sign === COMMA) {
      const top = open.at(-1);
      if (!top) throw broken();
      if (at - top.from > piece) {
        parseUpTo(text, open, at);
        yield;
      }
      endMember(text, top, at);
      top.member = at + 1;
    } else if (sign === ARRAY_END || sign === OBJECT_END) {
      const ended = open.pop();
      if (!ended || text.charAt(at) !== ended.closer) throw broken();
      if (ended.value) finish(text, ended, at);
      const parent = open.at(-1);
      if (!parent) {
        if (!BLANK.test(text.slice(at + 1))) throw broken();
        return ended.value ?? JSON.parse(text);
      }
      if (ended.value) adopt(text, parent, ended, at + 1);
      else if (at + 1 - parent.from > piece) {
        parseUpTo(text, open, at + 1);
        yield;
      }
    }
  }
  // No array and no object, or one that does not end.
  return JSON.parse(text);
}

function begun(closer: Open['closer'], start: number): Open {
  return { closer, start, value: undefined, from: start + 1, after: 'bracket', member: start + 1 };
}

const broken = () => new SyntaxError('The text is not JSON.');

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let sign = text.charCodeAt(at); at < text.length && sign !== QUOTE; sign = text.charCodeAt(at))
    at += sign === BACKSLASH ? 2 : 1;
  return at;
}

/** Parses the members of the innermost array or object that end at `end`, after those before it of all around it. */
function parseUpTo(text: string, open: Open[], end: number): void {
  for (const [i, one] of open.entries()) {
    one.value ??= one.closer === ']' ? [] : {};
    if (i === open.length - 1) addMembers(text, one, end);
    else if (one.member > one.from) {
      addMembers(text, one, one.member - 1);
      endMember(text, one, one.member - 1);
    }
  }
}

/** Parses what is left of members up to `end`; at least one. */
function addMembers(text: string, one: Open, end: number): void {
  const piece = text.slice(one.from, end);
  one.from = end;
  if (one.after === 'member') {
    if (!BLANK.test(piece)) throw broken();
    return;
  }
  one.after = 'member';
  if (BLANK.test(piece)) throw broken();
  if (Array.isArray(one.value)) one.value.push(...JSON.parse(`[${piece}]`));
  else if (one.value)
    for (const [name, value] of Object.entries(JSON.parse(`{${piece}}`))) put(one.value, name, value);
}

/** A comma: what came since the last piece was a member that is there, or is yet to be parsed. */
function endMember(text: string, one: Open, comma: number): void {
  if (one.after !== 'member') return;
  if (!BLANK.test(text.slice(one.from, comma))) throw broken();
  one.from = comma + 1;
  one.after = 'comma';
}

function finish(text: string, one: Open, end: number): void {
  const isEmpty = one.after === 'bracket' && BLANK.test(text.slice(one.from, end));
  if (!isEmpty) addMembers(text, one, end);
}

/** Adds an array or object that was parsed by itself to the one around it; it ends before `end`. */
function adopt(text: string, parent: Open, { value, start }: Open, end: number): void {
  if (parent.after === 'member') throw broken();
  const before = text.slice(parent.from, start);
  if (Array.isArray(parent.value)) {
    if (!BLANK.test(before)) throw broken();
    parent.value.push(value);
  } else if (parent.value) {
    const [name, ...others] = Object.keys(JSON.parse(`{${before}null}`));
    if (name === undefined || others.length > 0) throw broken();
    put(parent.value, name, value);
  }
  parent.from = end;
  parent.after = 'member';
}

/** Sets a member; an assignment to `__proto__` would set none. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
