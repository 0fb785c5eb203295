// Pages of runs whose own entries are long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import { listRuns } from '#domain/runs/list-runs.ts';
import { giveServiceSecret, replaceStateMachine } from '../../support/fakes.ts';
import { keepObjects } from '../../support/objects.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  keepObjects();
  giveServiceSecret();
  replaceStateMachine();
});
afterEach(() => vi.unstubAllGlobals());

test('a page ends before 4 MB, and the pages together hold every run once, in order', async () => {
  const by = await caller();
  const message = '\u{1f600}'.repeat(limits.message_max_characters);
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.unshift((await givenRun(by, { change: { message } })).id);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listRuns(by.workspace, { cursor });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(limits.runs_page_max_bytes);
    expect(page.has_more).toBe(page.next_cursor !== null);
    pages.push(page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages.map(({ length }) => length)).toEqual([5, 2]);
  expect(pages.flat()).toEqual(ids);
});

test('a page reads no reports but those that it shows', async () => {
  const by = await caller();
  const message = '\u{1f600}'.repeat(limits.message_max_characters);
  for (let i = 0; i < 6; i += 1) await givenRun(by, { change: { message } });
  const bucket = fetch;
  let reads = 0;
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.method === 'GET') reads += 1;
    return bucket(request);
  });
  const page = await listRuns(by.workspace, { limit: 2 });
  expect([page.data.length, page.has_more, reads]).toEqual([2, true, 2]);
});
