// What is wrong with the outcome of a short form, in a few words.
import { isObject } from '../../../lib/local/json-values.ts';
import type { ShortForm } from './short-forms.ts';

/** How the process of a campaign ended, and what it printed. */
export interface Outcome {
  exit_code: number | null;
  /** It was ended because its time was over. */
  is_late: boolean;
  stdout: string;
  stderr: string;
}

/** How long one may take, on a machine that is busy. */
export const WITHIN_S = 600;
const SHOWN_CHARACTERS = 400;

/** A breach, a time that was too short, or work that was too little; undefined when all is well. */
export function faultOf({ least }: Pick<ShortForm, 'least'>, outcome: Outcome): string | undefined {
  if (outcome.is_late) return `did not decide in ${WITHIN_S} s`;
  const report = parsed(outcome.stdout);
  if (outcome.exit_code !== 0)
    return `breach: ${(firstBreach(report) ?? errorIn(outcome.stderr)).slice(0, SHOWN_CHARACTERS)}`;
  const few = Object.entries(least).flatMap(([path, enough]) => {
    const count = figureAt(report, path);
    return count !== undefined && count >= enough
      ? []
      : [`${path} is ${count ?? 'absent'}, and less than ${enough} proves nothing`];
  });
  return few.length > 0 ? `too few operations: ${few.join('; ')}` : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first text in a list of breaches, wherever the report has one. */
function firstBreach(report: unknown): string | undefined {
  if (!isObject(report)) return undefined;
  for (const [name, value] of Object.entries(report)) {
    if (Array.isArray(value) && value.length > 0 && /breaches|missed|differences|late/.test(name))
      return typeof value[0] === 'string' ? value[0] : JSON.stringify(value[0]);
    const below = firstBreach(value);
    if (below) return below;
  }
  return undefined;
}

/** The line with the error; below it stand its stack and the version of Node. */
function errorIn(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '';
}

/** The number there; of a list its length. */
function figureAt(report: unknown, path: string): number | undefined {
  let found = report;
  for (const name of path.split('.')) found = isObject(found) ? found[name] : undefined;
  if (Array.isArray(found)) return found.length;
  return typeof found === 'number' ? found : undefined;
}
