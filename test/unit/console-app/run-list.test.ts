// The list of runs: its filters, its texts, and rows that stay where they are while they change.
import { expect, test } from 'vitest';
import {
  filtersOf,
  hasWords,
  isMetadata,
  isRunId,
  listQuery,
  sameFilters,
  toggled,
} from '../../../clients/console/view-models/run-filters.ts';
import {
  durationOf,
  merged,
  type RunRows,
  stepsText,
  titleOf,
  withRun,
} from '../../../clients/console/view-models/run-rows.ts';
import type { ListedRun, Run } from '../../../clients/sdk/index.ts';
import { createdEnvelope } from '../../support/run-envelope.ts';

const NOW = new Date(2026, 10, 22, 13, 30).getTime();
const ID = '0b2a4c6e-0000-4000-8000-000000000001';

test('filters of the address become those of the service', () => {
  const query = { status: 'failed,running', type: 'preset', since: '1h', metadata: 'team:a:b', cursor: 'c' };
  expect(listQuery(query, NOW)).toEqual({
    status: ['failed', 'running'],
    input_type: 'preset',
    created_after: NOW - 3_600_000 - 1,
    metadata: 'team:a:b',
    cursor: 'c',
  });
  expect(listQuery({}, NOW)).toEqual({});
});

test('today begins at midnight where the reader is', () => {
  const { created_after = 0 } = listQuery({ since: 'today' }, NOW);
  expect(new Date(created_after + 1).toTimeString().slice(0, 8)).toBe('00:00:00');
});

test.each(['yesterday', 'toString'])('the span of time %s is refused, not passed over', (since) => {
  expect(() => listQuery({ since }, NOW)).toThrow(`There is no time span "${since}"`);
});

test('a status is switched on and off, in a fixed order', () => {
  expect(toggled(undefined, 'failed')).toBe('failed');
  expect(toggled('failed', 'pending')).toBe('pending,failed');
  expect(toggled('pending,failed', 'failed')).toBe('pending');
  expect(toggled('failed', 'failed')).toBeUndefined();
});

test('the current page is not a filter', () => {
  expect(filtersOf({ status: 'failed', cursor: 'c', x: 'y' })).toEqual({ status: 'failed' });
  expect(sameFilters({}, { cursor: 'c' })).toBe(true);
  expect(sameFilters({}, { status: 'failed' })).toBe(false);
});

test('a text is the id of a run, a pair of metadata, or words of titles', () => {
  expect([ID, 'team:search', 'words'].map(isRunId)).toEqual([true, false, false]);
  expect(['team:search', 'a:b:c', ':value', 'words', ''].map(isMetadata)).toEqual([
    ...[true, true, false, false, false],
  ]);
});

test('a run is found by all words of a search, anywhere in its title, in any case', () => {
  const found = (words: string) => hasWords({ title: 'Companies in Berlin' }, words);
  expect([found('berlin COMP'), found('berlin oslo')]).toEqual([true, false]);
  expect(hasWords({ title: null }, 'berlin')).toBe(false);
});

const row = (id: string, fields: Partial<ListedRun> = {}): ListedRun => ({
  ...createdEnvelope,
  ...{ id, title: id, input_type: 'query', created_at: Number(id) },
  ...{ api_version: '2026-11-20', workspace_id: ID, request_id: 'r' },
  ...fields,
});
const page = (...rows: ListedRun[]): RunRows => ({ rows, older: null, newer: 0 });

const shown = { ...page(row('3', { status: 'running' }), row('2')), older: 'c' };
const fresh = page(row('5'), row('4'), row('3', { status: 'succeeded' }));
const idsOf = ({ rows }: RunRows) => rows.map(({ id }) => id);

test('newer runs come on top, and the others change in their places', () => {
  const now = merged(shown, fresh, true);
  expect(now.rows.map(({ id, status }) => [id, status])).toEqual([
    ['5', fresh.rows[0]?.status],
    ['4', fresh.rows[1]?.status],
    ['3', 'succeeded'],
    ['2', shown.rows[1]?.status],
  ]);
  expect([now.newer, now.older]).toEqual([0, 'c']);
});

test('while rows must not move, newer runs are only counted', () => {
  const now = merged(shown, fresh, false);
  expect([idsOf(now), now.newer]).toEqual([['3', '2'], 2]);
});

test('a page of nothing but newer runs replaces the list, as some between may be missing', () => {
  const many = { ...page(row('9'), row('8')), older: 'd' };
  expect(merged(shown, many, true)).toEqual(many);
  // Without older runs nothing is missing, so what has left the filter stays in view.
  expect(idsOf(merged(shown, { ...many, older: null }, true))).toEqual(['9', '8', '3', '2']);
});

test('an empty list fills by itself', () => {
  expect(merged(page(), page(row('1')), false).rows).toHaveLength(1);
});

test('an older run that slides into a page is not taken for a newer one', () => {
  expect(merged(page(row('3')), page(row('3'), row('2')), false).newer).toBe(0);
});

test('a newer envelope leaves a row its title', () => {
  const { title: _, input_type: __, ...rest } = row('1', { status: 'canceled' });
  const run: Run = { ...rest, input: { input_type: 'query', query: 'q' }, config: {} };
  expect(withRun(row('1'), run)).toEqual(row('1', { status: 'canceled' }));
});

test('a run is called by its title, a query by its first 80 characters', () => {
  expect(titleOf({ title: 'é'.repeat(100), input_type: 'query' })).toBe(`${'é'.repeat(80)}…`);
  expect(titleOf({ title: 'é'.repeat(100), input_type: 'plan' })).toBe('é'.repeat(100));
  expect(titleOf({ title: null, input_type: 'preset' })).toBe('Dossier without a title');
  expect(titleOf({ title: 'Acme', input_type: 'preset' })).toBe('Dossier: Acme');
});

test('a run lasts from its creation to its end, or to now, also while it waits', () => {
  expect(durationOf({ created_at: 100, completed_at: 250 }, 900)).toBe(150);
  expect(durationOf({ created_at: 100 }, 900)).toBe(800);
});

test('steps are described in words', () => {
  const step = (index: number, status: 'completed' | 'failed' | 'pending' | 'skipped') =>
    ({ index, kind: 'fetch', title: 't', attempt: 1, status }) as const;
  expect(stepsText([])).toBe('no steps yet');
  expect(stepsText([step(0, 'skipped'), step(1, 'completed'), step(2, 'failed'), step(3, 'pending')])).toBe(
    '2 of 4 steps done, 1 failed',
  );
});
