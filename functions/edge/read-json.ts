// Reads a JSON body: checks size, encoding, syntax and what no schema can express, in that order (rules.md: request 1, json).
import { fail, type Issue } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
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

/** How deep the arrays and objects of a JSON text nest. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (c === 0x5d || c === 0x7d) depth -= 1;
  }
  return deepest;
}

function refused(path: (string | number)[], expected: string, received: string, message: string): Issue {
  return { code: 'custom', expected, received, path, message };
}

/** Finds values that are valid JSON but cannot be stored: they would come back changed, or the write would fail. */
function* unkeepable(value: unknown, path: (string | number)[]): Generator<Issue> {
  if (typeof value === 'number' && !Number.isFinite(value))
    yield refused(path, 'a finite number', String(value), 'The number is too large');
  else if (typeof value === 'string' && !value.isWellFormed())
    yield refused(path, 'well-formed Unicode', 'a lone surrogate', 'The text is no valid Unicode');
  else if (Array.isArray(value))
    for (const [i, member] of value.entries()) yield* unkeepable(member, [...path, i]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) {
      if (key === '__proto__' || !key.isWellFormed())
        yield refused(
          [...path, key.toWellFormed()],
          'another name',
          'a reserved name',
          'This name is not allowed',
        );
      yield* unkeepable(member, [...path, key]);
    }
}

/** Whether the store returns a JSON value unchanged. Recursive: only for values of limited depth. */
export function isKeepable(value: unknown): boolean {
  return unkeepable(value, []).next().done === true;
}

/**
 * The JSON value of a body. Throws payload_too_large, invalid_json (encoding, media type, syntax), or schema_validation_failed for
 * nesting beyond 64, numbers that are not finite, lone surrogates and `__proto__`.
 */
export function readJson(request: HttpRequest): unknown {
  if (request.body.length > limits.body_max_bytes)
    throw fail('payload_too_large', {
      details: { max_bytes: limits.body_max_bytes, received_bytes: request.body.length },
    });
  const text = decode(request);
  // JSON.parse takes any depth; everything after it recurses, so the depth is checked first.
  const value = parse(text);
  if (depthOf(text) > limits.json_max_depth) {
    const issue = refused([], `at most ${limits.json_max_depth} levels`, 'more', 'The body nests too deeply');
    throw fail('schema_validation_failed', { details: { issues: [issue] } });
  }
  const issues = [...unkeepable(value, [])];
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
