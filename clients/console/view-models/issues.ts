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
}

/** The issues that the contract found in a body. */
export function localIssues(findings: readonly Finding[], body: unknown): Issue[] {
  return findings.flatMap(({ code, path, message, keys = [] }) => {
    const at = path.map(String).join('.');
    if (code === 'unrecognized_keys')
      return keys.map((key) => ({ path: at ? `${at}.${key}` : key, message: 'There is no such field.' }));
    const found = at === '' ? body : valueAt(body, at);
    return [{ path: at, message: found === undefined || found === '' ? 'This is required.' : message }];
  });
}

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
