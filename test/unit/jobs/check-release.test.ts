// rules.md: versions 3. A deployment does not wait for a table that is away: it fails in time, with a reason.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '../../../functions/jobs/check-release.ts';
import { writerOfTable } from '../../../functions/store/table/release-mark.ts';

vi.mock('../../../functions/store/table/release-mark.ts', () => ({
  writerOfTable: vi.fn(),
  markTable: vi.fn(),
}));

const request = {
  RequestType: 'Update',
  ResponseURL: 'https://answers.example/1',
  StackId: 'stack',
  RequestId: 'r-1',
  LogicalResourceId: 'ReleaseMark',
  ResourceProperties: { Release: '1.0.0', AllowOlderRelease: 'false' },
};
/** Of the function, in seconds. */
const TIMEOUT_S = 60;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['fails', () => Promise.reject(new Error('away'))],
  ['is silent', () => new Promise<never>(() => {})],
])('a table that %s', async (_, answer) => {
  vi.mocked(writerOfTable).mockImplementation(answer);
  const sent = vi.fn(async (_url: string, _init: { body: Buffer }) => new Response());
  vi.stubGlobal('fetch', sent);
  const began = Date.now();
  const decided = handler(request);
  await vi.runAllTimersAsync();
  expect(await decided).toEqual({
    Status: 'FAILED',
    Reason:
      'The release of the table is not known: see the log of the function CheckRelease, and deploy again',
  });
  expect(Date.now() - began).toBeLessThan((TIMEOUT_S - 10) * 1000);
  expect(JSON.parse(String(sent.mock.calls[0]?.[1].body))).toMatchObject({ Status: 'FAILED' });
});
