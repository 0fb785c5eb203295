// rules.md: sources 3, sources 5. A hostile source costs its step at most its limits, and does not affect others.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../functions/contract/limits.ts';
import * as given from '../support/given.ts';
import { bytes, type LiveSource, liveSource, setUp, status } from '../support/live-source.ts';
import { fetchedBy } from '../support/outcomes.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun, readsLog } from '../support/when.ts';

let home: given.Home;
const servers: LiveSource[] = [];
beforeAll(async () => {
  home = await given.workspace();
});
afterAll(() => {
  for (const server of servers) server.close();
});

type Answer = Parameters<typeof liveSource>[0];
let made = 0;

/** A source of this kind; what became of a fetch from it, and how often it was asked. */
async function failureWith(answer: Answer, timeout_ms = 10_000) {
  const server = await liveSource(answer);
  servers.push(server);
  made += 1;
  const name = `hostile-${made}`;
  await setUp(home, { name, kind: 'http', url: server.url, timeout_ms });
  const { id } = (await createsPlanRun(home, [{ kind: 'fetch', params: { source: name } }])).body;
  const run = await then.ended(home, id, 60_000);
  expect(run.errors).toMatchObject([{ code: 'source_failed', details: { source: name, step_index: 0 } }]);
  return { ...run.errors[0].details, tries: server.asked.length };
}

const inTurn = (response: ServerResponse, part: string) => {
  const writing = setInterval(() => response.write(part), 20);
  response.on('close', () => clearInterval(writing));
};

test('a redirect is a status, and is never followed', async () => {
  const inner = await liveSource(() => ({ items: [] }));
  servers.push(inner);
  for (const code of [301, 302, 307, 308])
    expect(await failureWith(() => status(code, { location: inner.url }))).toMatchObject({
      reason: 'status',
      status_code: code,
      tries: 1,
    });
  expect(inner.asked).toEqual([]);
});

test('what is no page of the documented shape fails the step for good', async () => {
  const wrong: Answer[] = [
    () => bytes('<html>'),
    () => bytes(Buffer.from([0x7b, 0xff, 0x7d])),
    () => bytes('[]'),
    () => ({ items: 'many' }),
    () => ({ items: [{ id: 1 }] }),
    () => ({ items: [{ name: 7 }] }),
    () => ({ items: [{ name: 'x', fields: ['list'] }] }),
    () => bytes('{"items":[{"name":"\\ud800"}]}'),
    () => bytes('{"items":[{"name":"x","fields":{"n":1e999}}]}'),
    () => bytes(`{"items":[{"name":"x","fields":{"deep":${'['.repeat(5000)}${']'.repeat(5000)}}}]}`),
    () => ({ items: [], next_cursor: [5] }),
  ];
  const failures = await Promise.all(wrong.map((answer) => failureWith(answer)));
  expect(failures).toMatchObject(wrong.map(() => ({ reason: 'shape', tries: 1 })));
});

test('a page beyond 1 MB is cut off while it comes, whatever length it says', async () => {
  let sent = 0;
  const flood = (response: ServerResponse) => {
    const part = Buffer.alloc(64 * 1024, 32);
    const more = () => {
      while (!response.destroyed && response.write(part)) sent += part.length;
    };
    response.on('drain', more);
    more();
  };
  expect(await failureWith(() => flood)).toMatchObject({ reason: 'too_large', tries: 1 });
  expect(sent).toBeLessThan(64 * limits.source_page_max_bytes);
});

test('a drip, silence and a reply after the deadline are timeouts, each tried three times', async () => {
  const late = (response: ServerResponse) => void response.on('close', () => response.end('{"items":[]}'));
  const answers: Answer[] = [() => (response) => inTurn(response, ' '), () => () => undefined, () => late];
  const failures = await Promise.all(answers.map((answer) => failureWith(answer, 150)));
  expect(failures).toMatchObject(answers.map(() => ({ reason: 'timeout', tries: 3 })));
});

test('a connection that breaks is tried three times', async () => {
  expect(await failureWith(() => (response) => void response.destroy())).toMatchObject({
    reason: 'connection',
    tries: 3,
  });
});

test('the error of a source that is down names it, the cause and how often it was asked', async () => {
  const gone = await liveSource(() => ({ items: [] }));
  gone.close();
  await setUp(home, { name: 'contacts', kind: 'http', url: gone.url });
  const { body } = await createsPlanRun(home, [{ kind: 'fetch', params: { source: 'contacts' } }]);
  const [error] = (await then.ended(home, body.id)).errors;
  expect(error).toMatchObject({
    code: 'source_failed',
    message: 'The source contacts could not be read: connection refused (ECONNREFUSED), tried 3 times',
    details: { source: 'contacts', reason: 'connection' },
  });
});

test('endless pages end after 20, and a fetch has at most 10,000 items', async () => {
  const endless = await liveSource((_, number) => ({
    items: Array.from({ length: 600 }, (_one, i) => ({ id: `${number}-${i}`, name: 'x' })),
    next_cursor: 'again',
  }));
  servers.push(endless);
  await setUp(home, { name: 'endless', kind: 'http', url: endless.url });
  const { truncated } = await fetchedBy(home, { source: 'endless', measures: [{ as: 'n', op: 'count' }] });
  expect(truncated).toEqual({ returned: 1 });
  expect(endless.asked.length).toBe(17);
  const single = await liveSource(() => ({ items: [{ name: 'same' }], next_cursor: 'again' }));
  servers.push(single);
  await setUp(home, { name: 'single', kind: 'http', url: single.url });
  const same = await fetchedBy(home, { source: 'single' });
  expect(same).toMatchObject({ names: ['same'], truncated: { returned: 1 } });
  expect(single.asked).toHaveLength(20);
});

test('no page is asked for past the deadline of the run', async () => {
  const slow = await liveSource((_, number) => (response) => {
    const page = JSON.stringify({ items: [{ id: number, name: 'x' }], next_cursor: 'more' });
    setTimeout(() => response.end(page), 150);
  });
  servers.push(slow);
  await setUp(home, { name: 'slow', kind: 'http', url: slow.url });
  const steps = [{ kind: 'fetch', params: { source: 'slow' } }];
  const { id } = (await createsPlanRun(home, steps, { config: { timeout_seconds: 1 } })).body;
  const run = await then.ended(home, id);
  expect(run.errors).toMatchObject([
    { code: 'run_timed_out', details: { limit: 'timeout_seconds', step_index: 0 } },
  ]);
  expect(slow.asked.length).toBeLessThan(limits.source_pages_max);
});

test('names of members that mean something to a language are names, and links are text', async () => {
  const server = await liveSource(() =>
    bytes(
      '{"items":[{"name":"[x](entity=1)","fields":{"__proto__":"p","constructor":{"prototype":1},"link":"[a](javascript:1)"}}]}',
    ),
  );
  servers.push(server);
  await setUp(home, { name: 'odd', kind: 'http', url: server.url });
  const where = { field: '__proto__', op: '=', value: 'p' };
  const { rows } = await fetchedBy(home, { source: 'odd', where });
  expect(rows).toHaveLength(1);
  expect(rows[0]?.name).toBe(String.raw`\[x\]\(entity=1)`);
  expect(Object.hasOwn(rows[0] ?? {}, '__proto__')).toBe(true);
  expect(rows[0]?.link).toBe(String.raw`\[a\]\(javascript:1)`);
});

test('a cancel ends the reading of a source, and the connection with it', async () => {
  let closed = false;
  const silent = await liveSource(() => (response) => void response.on('close', () => (closed = true)));
  servers.push(silent);
  await setUp(home, { name: 'silent', kind: 'http', url: silent.url, timeout_ms: 30_000 });
  const { id } = (await createsPlanRun(home, [{ kind: 'fetch', params: { source: 'silent' } }])).body;
  await until('the call', async () => silent.asked[0]);
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  expect(await then.ended(home, id)).toMatchObject({ status: 'canceled' });
  expect(closed).toBe(true);
  expect((await readsLog(home, id)).at(-1)).toMatchObject({ event_type: 'run.canceled' });
});
