// Reads a JSON body: checks size, encoding, syntax and what no schema can express, in that order (rules.md: request 1, json).
import { fail, type Issue } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { HttpRequest } from './http-request.ts';

type Path = (string | number)[];

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

/** How a JSON text is read. */
interface Extent {
  /** How deep its arrays and objects nest. */
  depth: number;
  /** The text, or its beginning up to the end of the first object with too many members, with what closes it. */
  text: string;
  whole: boolean;
}

/** A text of too many members is not read to its end: to make them all would hold the thread up. */
function extentOf(text: string): Extent {
  /** Of each open object how many members have ended; NaN of an array. */
  const open: number[] = [];
  let depth = 0;
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
        return { depth, text: closed(text.slice(0, i), open), whole: false };
    } else if (c === 0x5b || c === 0x7b) {
      open.push(c === 0x7b ? 0 : Number.NaN);
      if (open.length > depth) depth = open.length;
    } else if (c === 0x5d || c === 0x7d) open.pop();
  }
  return { depth, text, whole: true };
}

/** The beginning of a text with the ends of what is open in it. */
function closed(beginning: string, open: number[]): string {
  return (
    beginning +
    open
      .map((ended) => (Number.isNaN(ended) ? ']' : '}'))
      .toReversed()
      .join('')
  );
}

function refused(path: Path, expected: string, received: string, message: string): Issue {
  return { code: 'custom', expected, received, path: [...path], message };
}

/**
 * Adds to `found` the values that are valid JSON but cannot be stored: they would come back changed, or the write would fail. Stops at
 * `most` of them. `path` is that of the value; it is the same array for all values, because a copy for each would take longer than the walk.
 */
function findUnkeepable(value: unknown, path: Path, found: Issue[], most: number): void {
  if (found.length >= most) return;
  if (typeof value === 'number' && !Number.isFinite(value))
    found.push(refused(path, 'a finite number', String(value), 'The number is too large'));
  else if (typeof value === 'string' && !value.isWellFormed())
    found.push(refused(path, 'well-formed Unicode', 'a lone surrogate', 'The text is no valid Unicode'));
  else if (Array.isArray(value))
    for (let i = 0; i < value.length; i += 1) findUnkeepableAt(i, value[i], path, found, most);
  else if (typeof value === 'object' && value !== null) findUnkeepableMembers(value, path, found, most);
}

function tooMany(path: Path): Issue {
  const expected = `at most ${limits.json_object_max_members} members`;
  return refused(path, expected, 'more', 'The object has too many members');
}

/** A schema makes an issue of each wrong member, so the number of them is checked before any schema is asked. */
function findUnkeepableMembers(value: object, path: Path, found: Issue[], most: number): void {
  const keys = Object.keys(value);
  if (keys.length > limits.json_object_max_members) {
    found.push(tooMany(path));
    return;
  }
  for (const key of keys) {
    if (found.length >= most) return;
    const name = key.toWellFormed();
    if (key === '__proto__' || name !== key)
      found.push(refused([...path, name], 'another name', 'a reserved name', 'This name is not allowed'));
    findUnkeepableAt(name, Reflect.get(value, key), path, found, most);
  }
}

function findUnkeepableAt(
  key: string | number,
  value: unknown,
  path: Path,
  found: Issue[],
  most: number,
): void {
  path.push(key);
  findUnkeepable(value, path, found, most);
  path.pop();
}

/** What of a JSON value the store would not return unchanged, at most `most` issues. Recursive: only for values of limited depth. */
function unkeepable(value: unknown, most: number): Issue[] {
  const found: Issue[] = [];
  findUnkeepable(value, [], found, most);
  return found;
}

/** Whether the store returns a JSON value unchanged. Recursive: only for values of limited depth. */
export function isKeepable(value: unknown): boolean {
  return unkeepable(value, 1).length === 0;
}

/**
 * The JSON value of a body. Throws payload_too_large, invalid_json (encoding, media type, syntax), or schema_validation_failed for
 * nesting beyond 64, objects of more than 1,000 members, numbers that are not finite, lone surrogates and `__proto__`.
 */
export function readJson(request: HttpRequest): unknown {
  if (request.body.length > limits.body_max_bytes)
    throw fail('payload_too_large', {
      details: { max_bytes: limits.body_max_bytes, received_bytes: request.body.length },
    });
  const { text, depth, whole } = extentOf(decode(request));
  // JSON.parse takes any depth; everything after it recurses, so the depth is checked first.
  const value = parse(text);
  if (depth > limits.json_max_depth) {
    const issue = refused([], `at most ${limits.json_max_depth} levels`, 'more', 'The body nests too deeply');
    throw fail('schema_validation_failed', { details: { issues: [issue] } });
  }
  const issues = unkeepable(value, limits.issues_max);
  // One name many times is one member of the value, but many of the text.
  if (!whole && issues.length === 0) issues.push(tooMany([]));
  const [first] = issues;
  if (first) throw fail('schema_validation_failed', { param: first.path.join('.'), details: { issues } });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail('invalid_json');
  }
}
