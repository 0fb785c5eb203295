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
        message: 'there is no such field',
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

function messageOf({ code, message, expected = '' }: Finding, found: unknown): string {
  if (found === undefined || found === '') return 'needed';
  const kind = kindTexts[expected];
  return code === 'invalid_type' && kind ? `must be ${kind}` : message;
}

/** The fields that a refusal names; none when it is about something else. Its message says more of the first one. */
export function refusedFields(error: unknown): Issue[] {
  if (!isApiError(error)) return [];
  const details: unknown = error.details;
  const listed = valueAt(details, 'issues');
  if (Array.isArray(listed) && listed.length > 0)
    return listed.map(({ path, message }, i) => {
      const isSaid = i === 0 && error.message.includes(`\`${path.at(-1)}\``);
      return { path: path.map(String).join('.'), message: isSaid ? error.message : message };
    });
  return error.param === undefined ? [] : [{ path: error.param, message: error.message }];
}

/** The fields that a refusal names, but for what its own message says. */
export function unsaidFields(error: unknown): Issue[] {
  return isApiError(error) ? refusedFields(error).filter(({ message }) => !says(error.message, message)) : [];
}

const plain = (text: string) => text.replace(/[`.]/g, '').trim().toLowerCase();

/** Whether a text says all that another one says. */
export const says = (text: string, other: string): boolean => plain(text).includes(plain(other));

/** The first issue of a field, or of something in it. */
export function issueAt(issues: readonly Issue[], path: string): Issue | undefined {
  return issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
}
