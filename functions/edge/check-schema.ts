// Checks a value against a schema and reports failures as the issues of an error (rules.md: errors 3).
import type * as z from 'zod';
import { fail } from '#contract/errors.ts';
import type { Issue } from '#contract/issue.ts';
import { issueWords } from '#contract/issue-words.ts';
import { limits } from '#contract/limits.ts';
import { nearest } from '#contract/nearest.ts';
import { cut } from '#platform/cut.ts';
import { jsonBeginning } from '#platform/json-beginning.ts';
import { knownNames } from './known-names.ts';

type Path = (string | number)[];

/** The JSON type of a value, as an issue names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}

/** The allowed values of an enumeration or of a discriminator field. */
function choicesOf(issue: z.core.$ZodIssue): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code === 'invalid_union' && 'options' in issue) return issue.options;
  return undefined;
}

function expectedOf(issue: z.core.$ZodIssue): string {
  const choices = choicesOf(issue);
  if (choices) return choices.map((value) => JSON.stringify(value)).join(' | ');
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'too_small':
      return `>= ${issue.minimum}`;
    case 'too_big':
      return `<= ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'regex' ? issue.message : issue.format;
    default:
      return issue.message;
  }
}

const SHOWN_MAX = 200;

/** The value at a place of what was sent, or its beginning, as JSON. */
export const shownAt = (value: unknown, path: Path): string =>
  cut(jsonBeginning(valueAt(value, path), SHOWN_MAX), SHOWN_MAX);

/** What was sent: the type where that is at fault, else the value, or its beginning. */
function receivedOf(issue: z.core.$ZodIssue, found: unknown): string {
  if (found === undefined || (issue.code === 'invalid_type' && !choicesOf(issue))) return typeOf(found);
  const text = typeof found === 'string' && !choicesOf(issue) ? found : jsonBeginning(found, SHOWN_MAX);
  return cut(text, SHOWN_MAX);
}

/** At most `most` issues in the form of the contract, for one that the schema found. */
function toIssues(issue: z.core.$ZodIssue, value: unknown, most: number): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, most).map((key) => ({
      code: issue.code,
      expected: 'no such field',
      received: typeOf(valueAt(value, [...path, key])),
      path: [...path, key],
      message: `Unknown field ${JSON.stringify(key)}`,
    }));
  const found = valueAt(value, path);
  return [
    {
      code: issue.code,
      expected: expectedOf(issue),
      received: receivedOf(issue, found),
      path,
      message: issue.message,
    },
  ];
}

/** The first issues that the schema found, as many as a reply contains. */
function firstIssues(found: readonly z.core.$ZodIssue[], value: unknown): Issue[] {
  const issues: Issue[] = [];
  for (const issue of found) {
    const room = limits.issues_max - issues.length;
    if (room === 0) break;
    issues.push(...toIssues(issue, value, room));
  }
  return issues;
}

interface Checked {
  schema: z.ZodType;
  value: unknown;
  root: Path;
  noun: string | undefined;
  missing: boolean;
}

/** The first issue in words, with the name that was probably meant. */
function wordsFor(first: Issue, { schema, value, root, noun, missing }: Checked): string {
  const path = first.path.slice(root.length);
  const [parent, name] = [path.slice(0, -1), String(path.at(-1))];
  const known = path.length === 0 ? [] : knownNames(schema, value, parent);
  const context = { known, missing, ...(noun !== undefined && { noun }) };
  if (!missing) return issueWords(first, context);
  // A required field that is absent may be there with a mistake in its name.
  const sent = Object.keys(Object(valueAt(value, parent)));
  const meant = sent.find((one) => !known.includes(one) && nearest(one, [name]) !== undefined);
  if (meant === undefined) return issueWords(first, context);
  const misspelled = { ...first, code: 'unrecognized_keys', path: [...root, ...parent, meant] };
  return issueWords(misspelled, { ...context, known: [name] });
}

/**
 * The value, checked and with defaults. Throws missing_required_field when a required field is absent, else
 * schema_validation_failed; `param` is the dotted path of the first failure, below `root` where one is given.
 */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  root: Path = [],
  noun?: string,
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = firstIssues(result.error.issues, value).map((issue) => ({
    ...issue,
    path: [...root, ...issue.path],
  }));
  // Custom rules name the member themselves, even an absent one.
  const missing = issues.find(
    ({ code, path }) =>
      code !== 'custom' && path.length > root.length && valueAt(value, path.slice(root.length)) === undefined,
  );
  const first = missing ?? issues[0];
  const param = first && first.path.length > 0 ? { param: first.path.join('.') } : {};
  const code = missing ? 'missing_required_field' : 'schema_validation_failed';
  throw fail(code, {
    ...param,
    ...(first && { message: wordsFor(first, { schema, value, root, noun, missing: missing !== undefined }) }),
    details: { issues: missing ? [missing, ...issues.filter((issue) => issue !== missing)] : issues },
  });
}

/** One failed check as an error, for rules that no schema expresses. */
export function invalid(param: string, issue: Omit<Issue, 'path'> & { path?: Path }): Error {
  return fail('schema_validation_failed', {
    param,
    details: { issues: [{ path: param.split('.'), ...issue }] },
  });
}
