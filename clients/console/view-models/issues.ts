// The issues of a request, by field.
import { isApiError } from '../../sdk/index.ts';
import { valueAt } from './draft.ts';
import { labelOf } from './figures.ts';

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

/** Where a field is, for people, who count from 1: `Step 2, Instructions`. */
export function locationText(path: string): string {
  const [, at, rest = ''] = /^plan\.steps\.(\d+)\.?(.*)$/.exec(path) ?? [];
  const names = (at === undefined ? path : rest).split('.').filter((name) => !PARTS.has(name));
  const words = names.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : labelOf(name)));
  return [...(at === undefined ? [] : [`Step ${Number(at) + 1}`]), ...words].filter(Boolean).join(', ');
}

/** Parts of a path that lead to a field, but are none of its name. */
const PARTS: ReadonlySet<string> = new Set(['plan', 'params', 'config']);

/** The fields that a refusal names; none when it is about something else. */
export function refusedFields(error: unknown): Issue[] {
  if (!isApiError(error)) return [];
  const details: unknown = error.details;
  const listed = valueAt(details, 'issues');
  if (Array.isArray(listed) && listed.length > 0)
    return listed.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  return error.param === undefined ? [] : [{ path: error.param, message: error.message }];
}

/** The first issue of a field, or of something in it. */
export function issueAt(issues: readonly Issue[], path: string): Issue | undefined {
  return issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
}
