// The rows of the list of runs: their texts, and how a fresh page is merged into the one that is being read.
import type { ListedRun, Run } from '../../sdk/index.ts';
import { kinds } from './run-filters.ts';

const QUERY_CHARACTERS = 80;

/** What a run is called: the plan's title, the first characters of the query, the name of the entity. */
export function titleOf({ title, input_type }: Pick<ListedRun, 'title' | 'input_type'>): string {
  if (!title) return `${kinds[input_type]} without a title`;
  const characters = [...title];
  if (input_type !== 'query' || characters.length <= QUERY_CHARACTERS) return title;
  return `${characters.slice(0, QUERY_CHARACTERS).join('')}…`;
}

/** How long a run has been running or ran, in ms; undefined before it has started. */
export function durationOf({ started_at, completed_at }: ListedRun, now: number): number | undefined {
  return started_at === undefined ? undefined : Math.max(0, (completed_at ?? now) - started_at);
}

/** Whether a run may still change by itself. */
export const inFlight = ({ status }: Pick<ListedRun, 'status'>) =>
  status === 'pending' || status === 'running' || status === 'paused';

/** The steps of a run in words, for who does not see the ticks: `3 of 4 steps done, 1 failed`. */
export function stepsText(steps: ListedRun['steps']): string {
  if (steps.length === 0) return 'no steps yet';
  const done = steps.filter(({ status }) => status === 'completed' || status === 'skipped').length;
  const failed = steps.filter(({ status }) => status === 'failed').length;
  return `${done} of ${steps.length} steps done${failed > 0 ? `, ${failed} failed` : ''}`;
}

/** A page of runs as it is read, and how many newer runs wait above it. */
export interface RunRows {
  rows: ListedRun[];
  /** Where older runs begin; null when there are none. */
  older: string | null;
  newer: number;
}

/**
 * The rows that are being read, each as fresh as it can be, in their places; runs that came since are only counted, so that nothing
 * moves under the reader.
 */
export function merged(shown: RunRows, fresh: RunRows): RunRows {
  if (shown.rows.length === 0) return fresh;
  const byId = new Map(fresh.rows.map((row) => [row.id, row]));
  const known = new Set(shown.rows.map(({ id }) => id));
  const newest = Math.max(...shown.rows.map(({ created_at }) => created_at));
  return {
    rows: shown.rows.map((row) => byId.get(row.id) ?? row),
    older: shown.older,
    newer: fresh.rows.filter(({ id, created_at }) => !known.has(id) && created_at >= newest).length,
  };
}

/** A row with what a newer envelope of its run says; the envelope has no title. */
export function withRun(row: ListedRun, run: Run): ListedRun {
  const { input: _, config: __, ...rest } = run;
  return { ...row, ...rest };
}
