// Bounds what an error reply repeats of a request: values, the number of issues, their paths and texts (rules.md:
// errors 5).
import type { Issue } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';

/** The details of an error with each value cut: issues to the first ones, all others to the beginning of their text. */
export function boundedDetails(details: object | undefined): object | undefined {
  return (
    details &&
    Object.fromEntries(
      Object.entries(details).map(([name, value]) => [
        name,
        name === 'issues' && Array.isArray(value)
          ? value.slice(0, limits.issues_max).map(boundedIssue)
          : boundedValue(value),
      ]),
    )
  );
}

/** A value, or the beginning of its JSON when that is too long. */
function boundedValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const short = cut(text, limits.error_detail_max_characters);
  return short === text ? value : short;
}

/** The dotted path of the first failure, cut like those of issues. */
export function boundedParam(param: string | undefined): string | undefined {
  return param === undefined ? undefined : cut(param, limits.issue_path_max_characters);
}

function boundedIssue({ code, expected, received, path, message }: Issue): Issue {
  const short = (text: string) => cut(text, limits.issue_text_max_characters);
  return {
    code,
    expected: short(expected),
    received: short(received),
    path: boundedPath(path),
    message: short(message),
  };
}

/** The first segments that fit, each of them cut. */
function boundedPath(path: Issue['path']): Issue['path'] {
  let room: number = limits.issue_path_max_characters;
  const segments: Issue['path'] = [];
  for (const segment of path) {
    const shown =
      typeof segment === 'string' ? cut(segment, limits.issue_path_segment_max_characters) : segment;
    room -= String(shown).length;
    if (room < 0) break;
    segments.push(shown);
  }
  return segments;
}
