// The issues of a request, by field.
import { isApiError } from '../../sdk/index.ts';
import { valueAt } from './draft.ts';

export interface Issue {
  /** Dotted path of the field. */
  path: string;
  message: string;
}

/** A finding of the contract. */
interface Finding {
  code: string;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
  expected?: string;
}

/** The issues that the contract found in a body. */
export function localIssues(findings: readonly Finding[], body: unknown): Issue[] {
  return findings.flatMap((finding) => {
    const at = finding.path.map(String).join('.');
    if (finding.code === 'unrecognized_keys')
      return (finding.keys ?? []).map((key) => ({
        path: at ? `${at}.${key}` : key,
        message: UNKNOWN,
      }));
    return [{ path: at, message: messageOf(finding, at === '' ? body : valueAt(body, at)) }];
  });
}

const kindTexts: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  array: 'a list',
  object: 'a JSON object',
  boolean: 'yes or no',
};

const UNKNOWN = 'there is no such field';

function messageOf(
  { code, message, expected = '' }: Pick<Finding, 'code' | 'message' | 'expected'>,
  found: unknown,
): string {
  if (code === 'unrecognized_keys') return UNKNOWN;
  if (found === undefined || found === '') return 'needed';
  const kind = kindTexts[expected];
  return code === 'invalid_type' && kind ? `must be ${kind}` : message;
}

/** The fields that a refusal names, the first one in the words of its message; none when it is about something else. */
export function refusedFields(error: unknown): Issue[] {
  if (!isApiError(error)) return [];
  const listed = listedIn(error.details);
  if (listed.length === 0)
    return error.param === undefined ? [] : [{ path: error.param, message: error.message }];
  // A message that names a field says more than the issue does: the nearest name, the values that there are.
  const isWhole = error.message.includes('`');
  return listed.map((issue, i) => (isWhole && i === 0 ? { ...issue, message: error.message } : issue));
}

interface ListedIssue extends Omit<Finding, 'path'> {
  path: readonly (string | number)[];
  received: string;
}

function listedIn(details: unknown): Issue[] {
  const listed: unknown = valueAt(details, 'issues');
  if (!Array.isArray(listed)) return [];
  return listed.map((issue: ListedIssue) => ({
    path: issue.path.map(String).join('.'),
    message: messageOf(issue, issue.received === 'undefined' ? undefined : issue.received),
  }));
}

/** The fields that a refusal names, but for what its own message says. */
export function unsaidFields(error: unknown): Issue[] {
  if (!isApiError(error)) return [];
  return refusedFields(error).filter(
    ({ path, message }) => !error.message.includes(`\`${path}\``) && !says(error.message, message),
  );
}

const plain = (text: string) => text.replace(/[`.]/g, '').trim().toLowerCase();

/** Whether a text says all that another one says. */
export const says = (text: string, other: string): boolean => plain(text).includes(plain(other));

/** The first issue of a field, or of something in it. */
export function issueAt(issues: readonly Issue[], path: string): Issue | undefined {
  return issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
}
