// Reads a JSON body: checks its size, encoding and syntax, then what no schema can express (rules.md: request 1, json).
import { fail } from '#contract/errors.ts';
import type { Issue } from '#contract/issue.ts';
import { isJsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';
import { inexactLiteral, markInexact } from '#platform/exact-numbers.ts';
import { jsonMistake } from '#platform/json-mistake.ts';
import { nestingOf } from '#platform/json-nesting.ts';
import { type JsonPath, walkJson } from '#platform/walk-json.ts';
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
function unstorable(root: unknown, most: number): Issue[] {
  const issues: Issue[] = [];
  walkJson(root, (value, path) => {
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
  return unstorable(value, 1).length === 0;
}

/** The body without the elements of a list that are checked one by one. */
function withoutElements(body: unknown, list: string | undefined): unknown {
  return list !== undefined && isJsonObject(body) && Array.isArray(body[list])
    ? { ...body, [list]: [] }
    : body;
}

/**
 * The JSON value of a body; the elements of its list `apart` may be what the store would not return. Throws
 * unsupported_media_type, payload_too_large, invalid_json (encoding, media type, syntax), or schema_validation_failed
 * for nesting beyond 64 levels, objects of more than 1,000 members, numbers that a double does not keep, lone
 * surrogates and `__proto__`.
 */
export function readJson(request: HttpRequest, apart?: string): unknown {
  requireReadable(request);
  const sent = decode(request);
  // Parsing half a million brackets takes a second (rules.md: request 9).
  const depth = nestingOf(sent);
  if (depth === undefined) throw notJson(sent);
  if (depth > limits.json_max_depth) {
    const issue = issueAt([], `at most ${limits.json_max_depth} levels`, 'more', 'The body nests too deeply');
    throw fail('schema_validation_failed', { details: { issues: [issue] } });
  }
  const value = parse(sent);
  const issues = unstorable(withoutElements(value, apart), limits.issues_max);
  const [first] = issues;
  if (first) throw fail('schema_validation_failed', { param: first.path.join('.'), details: { issues } });
  return value;
}

function parse(sent: string): unknown {
  try {
    return JSON.parse(markInexact(sent));
  } catch {
    throw notJson(sent);
  }
}

/** The error of a text that is no JSON, with the first place where it is none. */
function notJson(sent: string): Error {
  const { line, column, expected } = jsonMistake(sent);
  const message = `The body is not valid JSON at line ${line}, column ${column}: ${expected} is expected there.`;
  return fail('invalid_json', {
    message: sent.trim() === '' ? 'The body is empty: send one JSON document.' : message,
  });
}
