// The rows of the run list: their texts, and how a refreshed page is merged into the visible one.
import type { ListedRun, Run } from '../../sdk/index.ts';
import { kinds } from './run-filters.ts';

const QUERY_CHARACTERS = 80;

/** A run's name: the plan's title, the start of the query, or the name of the entity. */
export function titleOf({ title, input_type }: Pick<ListedRun, 'title' | 'input_type'>): string {
  if (!title) return `${kinds[input_type]} without a title`;
  if (input_type === 'preset') return `${kinds.preset}: ${title}`;
  const characters = [...title];
  if (input_type !== 'query' || characters.length <= QUERY_CHARACTERS) return title;
  return `${characters.slice(0, QUERY_CHARACTERS).join('')}…`;
}

/** How long a run took or has taken so far, in ms: from its creation to its end, as everywhere. */
export function durationOf(
  { created_at, completed_at }: Pick<Run, 'created_at' | 'completed_at'>,
  now: number,
): number {
  return Math.max(0, (completed_at ?? now) - created_at);
}

/** Whether a run may still change by itself. */
export const inFlight = ({ status }: Pick<ListedRun, 'status'>) =>
  status === 'pending' || status === 'running' || status === 'paused';

/** The steps of a run in words, for screen readers: `3 of 4 steps done, 1 failed`. */
export function stepsText(steps: ListedRun['steps']): string {
  if (steps.length === 0) return 'no steps yet';
  const done = steps.filter(({ status }) => status === 'completed' || status === 'skipped').length;
  const failed = steps.filter(({ status }) => status === 'failed').length;
  return `${done} of ${steps.length} steps done${failed > 0 ? `, ${failed} failed` : ''}`;
}

/** The visible page of runs, and the number of newer runs above it. */
export interface RunRows {
  rows: ListedRun[];
  /** Where older runs start; null when there are none. */
  older: string | null;
  newer: number;
}

/** The visible rows, updated in their positions. Newer runs come on top, or are counted while rows must not move. */
export function merged(shown: RunRows, fresh: RunRows, mayMove: boolean): RunRows {
  const byId = new Map(fresh.rows.map((row) => [row.id, row]));
  const known = new Set(shown.rows.map(({ id }) => id));
  const newest = Math.max(...shown.rows.map(({ created_at }) => created_at));
  const newer = fresh.rows.filter(({ id, created_at }) => !known.has(id) && created_at >= newest);
  // The list was empty, or more have come than a page has: it starts over.
  const isGap = fresh.older !== null && newer.length === fresh.rows.length;
  if (known.size === 0 || (mayMove && isGap)) return fresh;
  const rows = shown.rows.map((row) => byId.get(row.id) ?? row);
  return {
    rows: mayMove ? [...newer, ...rows] : rows,
    older: shown.older,
    newer: mayMove ? 0 : newer.length,
  };
}

/** A row updated from a newer envelope of its run, which has no title. */
export function withRun(row: ListedRun, run: Run): ListedRun {
  const { input: _, config: __, ...rest } = run;
  return { ...row, ...rest };
}
