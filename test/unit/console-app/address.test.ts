// Addresses in the console.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fragmentOf, readOwnLink, readRoute } from '../../../clients/console/view-models/address.ts';

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
  ['#/questions', 'questions', ''],
  ['#/jobs', 'jobs', ''],
  ['#/jobs/abc', 'job', 'abc'],
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

test.each([
  ['/console/jobs/a-1', '#token=x.y', { console: '/console', jobId: 'a-1', token: 'x.y' }],
  ['/api/console/jobs/a%2Db', '', { console: '/api/console', jobId: 'a-b', token: undefined }],
  ['/console/jobs/a', '#/runs', { console: '/console', jobId: 'a', token: undefined }],
  ['/console', '#token=x', undefined],
  ['/console/jobs/', '#token=x', undefined],
  ['/console/jobs/a/b', '#token=x', undefined],
])('%s%s is the link of a question, or none (rules.md: console 21)', (pathname, hash, link) => {
  expect(readOwnLink({ pathname, hash })).toEqual(link);
});
