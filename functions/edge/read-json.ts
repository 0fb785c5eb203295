// Reads a JSON body: checks its size, encoding and syntax, then what no schema can express (rules.md: request 1, json).
import { fail, type Issue } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { atOnce } from '#platform/at-once.ts';
import { cut } from '#platform/cut.ts';
import { inexactLiteral, markInexact } from '#platform/exact-numbers.ts';
import { parseJson } from '#platform/json.ts';
import { nestingOf } from '#platform/json-nesting.ts';
import { inTurns } from '#platform/turns.ts';
import { type JsonPath, walk } from '#platform/walk-json.ts';
import type { HttpRequest } from './http-request.ts';
import { requireReadable } from './readable-body.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(request: HttpRequest): string {
  const [mediaType = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset="?([^"\s]+)"?\s*$/.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  const json = /^\s*application\/([\w.-]+\+)?json\s*$/.test(mediaType);
  if (!json || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8'))
    throw fail('invalid_json', { message: 'Send the body as application/json in UTF-8.' });
  try {
    return decoder.decode(request.body);
  } catch {
    throw fail('invalid_json', { message: 'The body is not valid UTF-8.' });
  }
}

/** How much of a JSON text is parsed. */
interface Extent {
  /** The text up to the end of the first object with too many members, with what closes it; else the whole text. */
  text: string;
  whole: boolean;
}

/** Ends the text at the object with too many members: parsing all of them would block the thread for 50 ms. */
function extentOf(text: string): Extent {
  /** For each open object the number of members that have ended; NaN for an array. */
  const open: number[] = [];
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x2c) {
      const ended = (open.pop() ?? 0) + 1;
      open.push(ended);
      if (ended > limits.json_object_max_members)
        return { text: closed(text.slice(0, i), open), whole: false };
    } else if (c === 0x5b || c === 0x7b) open.push(c === 0x7b ? 0 : Number.NaN);
    else if (c === 0x5d || c === 0x7d) open.pop();
  }
  return { text, whole: true };
}

/** The beginning of a text, with the brackets that close it. */
function closed(beginning: string, open: number[]): string {
  const brackets = open.map((ended) => (Number.isNaN(ended) ? ']' : '}'));
  return beginning + brackets.toReversed().join('');
}

function issueAt(path: JsonPath, expected: string, received: string, message: string): Issue {
  const wellFormed = path.map((key) => (typeof key === 'string' ? key.toWellFormed() : key));
  return { code: 'custom', expected, received, path: wellFormed, message };
}

/** The issue of a value by itself, without its members. */
function issueOf(value: unknown, path: JsonPath): Issue | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return issueAt(path, 'a finite number', String(value), 'The number is too large');
  if (typeof value === 'string' && !value.isWellFormed())
    return issueAt(path, 'well-formed Unicode', 'a lone surrogate', 'The text is not valid Unicode');
  const literal = inexactLiteral(value);
  if (literal !== undefined)
    return issueAt(path, 'a number that a double keeps', cut(literal, 200), 'Send the number as a string');
  return undefined;
}

function tooManyMembers(path: JsonPath): Issue {
  const expected = `at most ${limits.json_object_max_members} members`;
  return issueAt(path, expected, 'more', 'The object has too many members');
}

/**
 * What the store would not return unchanged, at most `most` issues. Ends at the first object with too many members,
 * because a schema makes an issue of each wrong one.
 */
function* unstorable(root: unknown, most: number): Generator<void, Issue[], void> {
  const issues: Issue[] = [];
  yield* walk(root, (value, path) => {
    const key = path.at(-1);
    if (typeof key === 'string' && (key === '__proto__' || !key.isWellFormed()))
      issues.push(issueAt(path, 'another name', 'a reserved name', 'This name is not allowed'));
    const issue = issueOf(value, path);
    if (issue) issues.push(issue);
    const isLarge = hasTooManyMembers(value);
    if (isLarge) issues.push(tooManyMembers(path));
    return isLarge || issues.length >= most ? 'end' : undefined;
  });
  return issues.slice(0, most);
}

function hasTooManyMembers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length > limits.json_object_max_members;
}

/** Whether the store returns a JSON value unchanged. */
export function isStorableJson(value: unknown): boolean {
  return atOnce(unstorable(value, 1)).length === 0;
}

/**
 * The JSON value of a body. Throws unsupported_media_type, payload_too_large, invalid_json (encoding, media type,
 * syntax), or schema_validation_failed for nesting beyond 64 levels, objects of more than 1,000 members, numbers that a
 * double does not keep, lone surrogates and `__proto__`.
 */
export async function readJson(request: HttpRequest): Promise<unknown> {
  requireReadable(request);
  const sent = decode(request);
  // Parsing half a million brackets takes a second (rules.md: request 9).
  const depth = nestingOf(sent);
  if (depth === undefined) throw fail('invalid_json');
  if (depth > limits.json_max_depth) {
    const issue = issueAt([], `at most ${limits.json_max_depth} levels`, 'more', 'The body nests too deeply');
    throw fail('schema_validation_failed', { details: { issues: [issue] } });
  }
  const { text, whole } = extentOf(sent);
  const value = await parse(markInexact(text));
  const issues = await inTurns(unstorable(value, limits.issues_max));
  // A name that repeats is one member of the value, but many of the text.
  if (!whole && issues.length === 0) issues.push(tooManyMembers([]));
  const [first] = issues;
  if (first) throw fail('schema_validation_failed', { param: first.path.join('.'), details: { issues } });
  return value;
}

async function parse(text: string): Promise<unknown> {
  try {
    return await parseJson(text);
  } catch {
    throw fail('invalid_json');
  }
}
