// Reads a JSON body: checks its size, encoding and syntax, then what no schema can express (rules.md: request 1, json).
import { fail, type Issue } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { isStorable, isStorableName, type JsonPath, walkJson } from '#platform/walk-json.ts';
import type { HttpRequest } from './http-request.ts';

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
  if (isStorable(value)) return undefined;
  if (typeof value === 'number')
    return issueAt(path, 'a finite number', String(value), 'The number is too large');
  return issueAt(path, 'well-formed Unicode', 'a lone surrogate', 'The text is not valid Unicode');
}

/**
 * The issue of a nesting that is too deep for everything that recurses later, or of an object with too many members.
 */
function excess(value: unknown, path: JsonPath): 'depth' | 'members' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length >= limits.json_max_depth) return 'depth';
  const isObject = !Array.isArray(value);
  return isObject && Object.keys(value).length > limits.json_object_max_members ? 'members' : undefined;
}

/**
 * What the store would not return unchanged, at most `most` issues. Ends at the first object with too many members,
 * because a schema makes an issue of each wrong one; a nesting that is too deep is the only issue.
 */
function unstorable(root: unknown, most: number): Issue[] {
  const issues: Issue[] = [];
  const add = (issue: Issue | undefined) => {
    if (issue && issues.length < most) issues.push(issue);
  };
  const path: JsonPath = [];
  for (const value of walkJson(root, path)) {
    const key = path.at(-1);
    if (typeof key === 'string' && !isStorableName(key))
      add(issueAt(path, 'another name', 'a reserved name', 'This name is not allowed'));
    add(issueOf(value, path));
    const exceeded = excess(value, path);
    if (exceeded === 'depth')
      return [issueAt([], `at most ${limits.json_max_depth} levels`, 'more', 'The body nests too deeply')];
    if (exceeded === undefined) continue;
    const expected = `at most ${limits.json_object_max_members} members`;
    add(issueAt(path, expected, 'more', 'The object has too many members'));
    break;
  }
  return issues;
}

/** Whether the store returns a JSON value unchanged. */
export function isStorableJson(value: unknown): boolean {
  return unstorable(value, 1).length === 0;
}

/**
 * The JSON value of a body. Throws payload_too_large, invalid_json (encoding, media type, syntax), or
 * schema_validation_failed for nesting beyond 64 levels, objects of more than 1,000 members, numbers that are not
 * finite, lone surrogates and `__proto__`.
 */
export function readJson(request: HttpRequest): unknown {
  if (request.body.length > limits.body_max_bytes)
    throw fail('payload_too_large', {
      details: { max_bytes: limits.body_max_bytes, received_bytes: request.body.length },
    });
  const value = parse(decode(request));
  const issues = unstorable(value, limits.issues_max);
  const [first] = issues;
  if (!first) return value;
  throw fail('schema_validation_failed', {
    ...(first.path.length > 0 && { param: first.path.join('.') }),
    details: { issues },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail('invalid_json');
  }
}
