// Addresses in the console.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fragmentOf, readRoute } from '../../../clients/console/view-models/address.ts';

test.each([
  ['', 'runs', ''],
  ['#', 'runs', ''],
  ['#/runs', 'runs', ''],
  ['#/runs/abc', 'run', 'abc'],
  ['#/artifacts/abc', 'artifact', 'abc'],
  ['#/artifacts', 'missing', ''],
  ['#/records', 'records', ''],
  ['#/records/abc', 'record', 'abc'],
  ['#/new', 'new', ''],
  ['#/usage', 'usage', ''],
  ['#/login', 'login', ''],
  ['#/runs/a/b', 'missing', 'a'],
  ['#/toString', 'missing', ''],
  ['#/runs/%', 'run', '%'],
])('%j is the page %s', (fragment, page, id) => {
  expect(readRoute(fragment)).toMatchObject({ page, id });
});

test('an address returns what was put into it', () => {
  const query = fc.dictionary(
    fc.constantFrom('status', 'body', 'metadata'),
    fc.string({ minLength: 1, unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(query, (sent) => {
      expect(readRoute(fragmentOf('new', sent))).toEqual({ page: 'new', id: '', query: { ...sent } });
    }),
  );
});

test('filters that are not set are not in the address', () => {
  expect(fragmentOf('runs', { status: 'failed', type: undefined, since: '' })).toBe('#/runs?status=failed');
});
