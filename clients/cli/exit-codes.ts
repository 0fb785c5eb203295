// Table of contents: every exit code of `runs`.
import type { RunStatus } from '../sdk/index.ts';

export const exitCodes = {
  /** Success; with --watch and --wait: the run succeeded. */
  ok: 0,
  run_failed: 1,
  usage: 2,
  run_canceled: 3,
  /** No key, or a refused one. */
  key: 4,
  not_found: 5,
  refused: 6,
  limit: 7,
  service_away: 8,
  /** The wait timed out; the run continues. */
  timed_out: 9,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;

/** The exit name of a run, whether it has ended or not. */
export function exitOfRun(status: RunStatus): ExitName {
  return status === 'failed' || status === 'canceled' ? `run_${status}` : 'ok';
}

/** The exit name of an API error, by its HTTP status. */
export function exitOfStatus(status: number): ExitName {
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'not_found';
  if (status === 429) return 'limit';
  return status >= 400 && status < 500 ? 'refused' : 'service_away';
}
