// rules.md: events, paging. The log of a run, page by page.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call, type HttpReply } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let run: string;

const think = (ms: number) => ({ kind: 'analyze', instructions: `[[delay:${ms}]] what stands out` });
const transform = (items: number) => ({
  kind: 'transform',
  instructions: 'the city in one word',
  params: { limit: items },
});

beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  run = (await when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin, when.answer])).body.id;
  await then.ended(home, run);
});

const page = (id: string, query: Record<string, string> = {}, key = home.key): Promise<HttpReply> =>
  call('GET', `/runs/${id}/events?${new URLSearchParams(query)}`, { key });

test('the log is a list of whole events in order, with a cursor on every page', async () => {
  const { status, body } = await page(run);
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: expect.any(String) });
  for (const event of body.data) {
    expect(event.id).toBe(event.event_id);
    expect(event.run_id).toBe(run);
  }
  await then.soundLog(home, run);
});

test('a page ends at its limit, and its cursor continues there', async () => {
  const { data } = (await page(run)).body;
  const first = (await page(run, { limit: '2' })).body;
  expect(first).toMatchObject({ data: data.slice(0, 2), has_more: true });
  const second = (await page(run, { limit: '3', cursor: first.next_cursor })).body;
  expect(second.data).toEqual(data.slice(2, 5));
  const exact = (await page(run, { limit: String(data.length) })).body;
  expect(exact).toMatchObject({ data, has_more: false });
});

test('after the last event the page is empty and hands back the cursor that was sent', async () => {
  const { next_cursor } = (await page(run)).body;
  const empty = (await page(run, { cursor: next_cursor })).body;
  expect(empty).toEqual({ object: 'list', data: [], next_cursor, has_more: false });
});

test('a cursor at the end yields events once they are emitted', async () => {
  const failing = [when.fetchCompanies, { kind: 'analyze', instructions: '[[fail-once]] findings' }];
  const { id } = (await when.createsPlanRun(home, failing)).body;
  await then.ended(home, id);
  const { next_cursor, data } = (await page(id)).body;
  expect(data.at(-1).event_type).toBe('run.failed');
  await when.resumes(home, id);
  await then.event(home, id, 'run.succeeded');
  const later = (await page(id, { cursor: next_cursor })).body.data;
  expect(later[0].sequence).toBe(data.length + 1);
  expect(later.at(-1).event_type).toBe('run.succeeded');
});

test('readers concurrent with writers, with random page sizes, read exactly the log', async () => {
  const steps = [when.fetchCompanies, transform(3), think(150), transform(2), when.answer];
  const runs = await Promise.all(Array.from({ length: 6 }, () => when.createsPlanRun(home, steps)));
  const sizes = fc.sample(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 8 }), 12);
  const read = async (id: string, limits: number[]) => {
    const seen: { event_id: string; event_type: string }[] = [];
    let cursor: string | undefined;
    for (let i = 0; !/^run\.(succeeded|failed|canceled)$/.test(seen.at(-1)?.event_type ?? ''); i += 1) {
      const limit = String(limits[i % limits.length]);
      const query = { limit, ...(cursor && { cursor }), ...(i % 3 > 0 && { 'keep-open': '1' }) };
      const { body } = await page(id, query);
      expect(body.data.length).toBeLessThanOrEqual(Number(limit));
      if (body.has_more) expect(body.data.length).toBeGreaterThan(0);
      seen.push(...body.data);
      cursor = body.next_cursor;
    }
    return seen;
  };
  const ids = runs.map(({ body }) => body.id);
  const seen = await Promise.all(
    sizes.map(async (limits, i) => ({
      id: ids[i % ids.length],
      log: await read(ids[i % ids.length], limits),
    })),
  );
  for (const { id, log } of seen) expect(log).toEqual(await when.readsLog(home, id));
});

test.each(['0', '-1', '1.5', 'x', '1001', '', ' 5', '1e2', '99999999999'])(
  'limit=%j is refused',
  async (limit) => {
    const reply = await page(run, { limit });
    expect(reply.status).toBe(422);
    expect(reply.body.error).toMatchObject({ code: 'schema_validation_failed', param: 'limit' });
  },
);

test('limits 1 and 1000 are allowed', async () => {
  expect((await page(run, { limit: '1' })).body.data).toHaveLength(1);
  expect((await page(run, { limit: '1000' })).status).toBe(200);
});

test.each(['2', 'true', '', '01'])('keep-open=%j is refused', async (value) => {
  const reply = await page(run, { 'keep-open': value });
  expect(reply.body.error).toMatchObject({ code: 'schema_validation_failed', param: 'keep-open' });
});

test('a cursor that was not issued for this run is refused', async () => {
  const own = (await page(run, { limit: '3' })).body.next_cursor;
  const neighbour = (await when.createsPlanRun(home, [when.fetchCompanies])).body.id;
  const stranger = await given.workspace();
  const foreign = (await when.createsPlanRun(stranger, [when.fetchCompanies])).body.id;
  const flipped = `${own.slice(0, 8)}${own[8] === 'A' ? 'B' : 'A'}${own.slice(9)}`;
  const cursors = [
    '',
    'abc',
    '5',
    `${own}!!`,
    `${own}A`,
    `${own}=`,
    ` ${own}`,
    own.slice(0, -1),
    flipped,
    own.toLowerCase(),
    (await page(neighbour)).body.next_cursor,
    (await page(foreign, {}, stranger.key)).body.next_cursor,
  ];
  for (const cursor of cursors) {
    const reply = await page(run, { cursor });
    expect(reply.status, cursor).toBe(422);
    expect(reply.body.error).toMatchObject({ code: 'schema_validation_failed', param: 'cursor' });
  }
});

test('a cursor sent twice is refused', async () => {
  const { next_cursor } = (await page(run)).body;
  const reply = await call('GET', `/runs/${run}/events?cursor=${next_cursor}&cursor=${next_cursor}`, {
    key: home.key,
  });
  expect(reply.body.error).toMatchObject({ code: 'schema_validation_failed', param: 'cursor' });
});

test('keep-open answers with a new event as soon as there is one', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(1500)])).body;
  await then.event(home, id, 'step.started', { step_index: 1 });
  const { next_cursor } = (await page(id)).body;
  const reply = await page(id, { cursor: next_cursor, 'keep-open': '1' });
  expect(reply.body.data[0].event_type).toBe('step.completed');
  expect(reply.body.next_cursor).not.toBe(next_cursor);
});

test('keep-open answers at once on a finished log', async () => {
  const { next_cursor } = (await page(run)).body;
  const answered = page(run, { cursor: next_cursor, 'keep-open': '1' });
  // A long poll would stay open for 25 s; this one ends much sooner.
  const second = new Promise((resolve) => setTimeout(resolve, 5000, 'held'));
  expect(await Promise.race([answered.then(({ body }) => body.data), second])).toEqual([]);
});

test('keep-open on a canceled run waits for run.canceled', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(4000)])).body;
  await then.event(home, id, 'step.started', { step_index: 1 });
  const { next_cursor } = (await page(id)).body;
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  const { data } = (await page(id, { cursor: next_cursor, 'keep-open': '1' })).body;
  expect(data.map((event: { event_type: string }) => event.event_type)).toEqual([
    'step.completed',
    'run.canceled',
  ]);
});

test('the log of a missing run, a foreign one or an invalid id is the same run_not_found', async () => {
  const stranger = await given.workspace();
  const replies = await Promise.all([
    page('00000000-0000-4000-8000-000000000000'),
    page(run, {}, stranger.key),
    page('abc'),
  ]);
  const bodies = replies.map(({ body }) => ({ ...body.error, request_id: '' }));
  expect(bodies[0]).toMatchObject({ code: 'run_not_found' });
  expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
});

test('the log needs runs:read', async () => {
  const { key } = await given.key(home.workspace_id, ['runs:create']);
  expect((await page(run, {}, key)).body.error).toMatchObject({
    code: 'forbidden_feature',
    details: { required_scope: 'runs:read' },
  });
});
