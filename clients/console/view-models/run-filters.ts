// The filters of the run list: their form in the address, and the query they send.
import type { ListedRun, ListRuns, RunStatus } from '../../sdk/index.ts';
import type { Query } from './address.ts';

export const statuses: readonly RunStatus[] = [
  ...(['pending', 'running', 'paused', 'succeeded', 'failed', 'canceled'] as const),
];
const IN_FLIGHT = 'pending,running,paused';

/** Kinds of input, as in the address and the API, and in words. */
export const kinds = { query: 'Query', plan: 'Plan', preset: 'Dossier' } as const;

const MINUTE_MS = 60_000;
const spans: Readonly<Record<string, number>> = {
  '1h': 60 * MINUTE_MS,
  '24h': 24 * 60 * MINUTE_MS,
  '7d': 7 * 24 * 60 * MINUTE_MS,
  '30d': 30 * 24 * 60 * MINUTE_MS,
};
/** Time spans, as in the address, and in words. */
export const sinces = {
  '1h': 'Last hour',
  today: 'Today',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const;

/** The query members that are filters. */
const names = ['status', 'type', 'since', 'metadata', 'q'] as const;

/** Named sets of filters. */
export const shortcuts: readonly { text: string; query: Query }[] = [
  { text: 'All', query: {} },
  { text: 'In flight', query: { status: IN_FLIGHT } },
  { text: 'Failed', query: { status: 'failed' } },
];

/** The filters alone, in fixed order, without the page. */
export function filtersOf(query: Readonly<Record<string, string | undefined>>): Query {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** Whether two sets of filters are equal. */
export function sameFilters(left: Query, right: Query): boolean {
  return names.every((name) => (left[name] ?? '') === (right[name] ?? ''));
}

/** The API query of the filters; the service validates the rest. Throws Error for an unknown time span. */
export function listQuery(query: Query, now: number): ListRuns {
  const { status, type, since, metadata, cursor } = query;
  const after = since ? startOf(since, now) : undefined;
  return {
    ...(status && { status: status.split(',') as RunStatus[] }),
    ...(type && { input_type: type as NonNullable<ListRuns['input_type']> }),
    ...(after !== undefined && { created_after: after - 1 }),
    ...(metadata && { metadata }),
    ...(cursor && { cursor }),
  };
}

/** Start of a time span, as epoch ms. */
function startOf(since: string, now: number): number {
  if (since === 'today') return new Date(now).setHours(0, 0, 0, 0);
  const span = Object.hasOwn(spans, since) ? spans[since] : undefined;
  if (span === undefined)
    throw new Error(`There is no time span "${since}": use ${Object.keys(sinces).join(', ')}.`);
  return now - span;
}

/** The statuses of a filter after toggling one, in fixed order; undefined for none. */
export function toggled(status: string | undefined, one: RunStatus): string | undefined {
  const set = new Set(status ? status.split(',') : []);
  if (!set.delete(one)) set.add(one);
  return statuses.filter((name) => set.has(name)).join(',') || undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a search text is the id of a run. */
export const isRunId = (text: string) => UUID.test(text);

/** Whether a text is a pair of metadata: `key:value`. */
export const isMetadata = (text: string) => /^[^:].*:/.test(text);

/** Whether a run's title contains every word, in any case. */
export function hasWords({ title }: Pick<ListedRun, 'title'>, words: string): boolean {
  const text = (title ?? '').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
