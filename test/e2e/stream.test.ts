// rules.md: stream. The stream over HTTP.
import { connect } from 'node:net';
import { EventSource, type EventSourceFetchInit } from 'eventsource';
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call, until } from '../support/service.ts';
import { eventsOf, frames, streamUrl, token } from '../support/streams.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let run: string;

const think = (ms: number) => ({ kind: 'analyze', instructions: `[[delay:${ms}]] what stands out` });

beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  run = (await when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin, when.answer])).body.id;
  await then.ended(home, run);
});

/** Opens a stream with a new token. */
async function open(
  id: string,
  lastEventId?: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const query = { event_token: await token(home, id), last_event_id: lastEventId };
  return fetch(streamUrl(id, query), { headers });
}

const idsOf = (log: Record<string, unknown>[]) => log.map(({ id }) => String(id));

interface Seen {
  source: EventSource;
  ids: string[];
  types: string[];
  unnamed: number;
  errors: (number | undefined)[];
}

test('a key opens the stream where headers can be sent, with the scope runs:read; a token takes precedence', async () => {
  const headers = { authorization: `Bearer ${home.key}` };
  const opened = await fetch(streamUrl(run, {}), { headers });
  expect((await eventsOf(opened)).map(({ id }) => id)).toEqual(idsOf(await when.readsLog(home, run)));
  const withKey = (key: string, query = '') => call('GET', `/runs/${run}/events/stream${query}`, { key });
  const creator = await given.key(home.workspace_id, ['runs:create']);
  expectRefusal(await withKey(creator.key), 403, 'forbidden_feature', {
    details: { required_scope: 'runs:read' },
  });
  expectRefusal(await withKey((await given.workspace()).key), 404, 'run_not_found');
  expectRefusal(await withKey('sk_nobody'), 401, 'auth_invalid');
  expect((await withKey('sk_nobody', `?event_token=${await token(home, run)}`)).status).toBe(200);
  expectRefusal(await withKey(home.key, '?event_token=x'), 401, 'auth_invalid');
});

/** A browser's EventSource that records what it receives. */
function browser(
  url: string,
  fetchWith?: (url: string | URL, init: EventSourceFetchInit) => Promise<Response>,
) {
  const source = new EventSource(url, fetchWith && { fetch: fetchWith });
  const seen: Seen = { source, ids: [], types: [], unnamed: 0, errors: [] };
  const types = ['created', 'started', 'succeeded', 'failed', 'canceled', 'paused', 'pre_validation'].map(
    (type) => `run.${type}`,
  );
  const steps = ['started', 'completed', 'failed', 'skipped', 'retrying', 'progress'].map(
    (type) => `step.${type}`,
  );
  for (const type of [...types, ...steps, 'artifact.created', 'connection.expired'])
    source.addEventListener(type, (message) => {
      expect(JSON.parse(message.data)).toMatchObject({ id: message.lastEventId, event_type: type });
      seen.ids.push(message.lastEventId);
      seen.types.push(type);
    });
  source.onmessage = () => {
    seen.unnamed += 1;
  };
  source.onerror = ({ code }) => {
    seen.errors.push(code);
  };
  return seen;
}

const closed = (seen: Seen) =>
  until(
    'the end of the event source',
    async () => seen.source.readyState === EventSource.CLOSED || undefined,
  );

test('on the wire: status, headers, and frames of id, event and data', async () => {
  const { port, pathname } = new URL(streamUrl(run, {}));
  const eventToken = await token(home, run);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `GET ${pathname}?event_token=${eventToken} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.on('data', (part) => {
      received += part;
    });
    socket.on('end', () => resolve(received)).on('error', reject);
  });
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toMatch(/^content-type: text\/event-stream/im);
  expect(head).toMatch(/^cache-control: no-store/im);
  expect(head).toMatch(/^access-control-allow-origin: \*/im);
  expect(head).toMatch(/^x-request-id: \S+/im);
  const unchunked = body.replace(/(^|\r\n)[0-9a-f]+\r\n/g, '');
  const messages = unchunked.split('\n\n').filter((frame) => !frame.startsWith(':') && frame.trim() !== '');
  const parts = messages.map((message) =>
    /^id: (\S+)\nevent: (\S+)\ndata: (\{.*\})$/.exec(message)?.slice(1),
  );
  const log = await when.readsLog(home, run);
  expect(parts.map(([id, type, data] = []) => [id, type, JSON.parse(data ?? 'null')])).toEqual(
    log.map((event) => [event.id, event.event_type, event]),
  );
});

test('a browser gets every event once and by name, reconnects after the end, and then gets 204', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(300), when.answer])).body;
  const seen = browser(streamUrl(id, { event_token: await token(home, id) }));
  await closed(seen);
  expect(seen.ids).toEqual(idsOf(await when.readsLog(home, id)));
  expect(seen.unnamed).toBe(0);
  expect(seen.errors).toEqual([undefined, 204]);
});

test('a browser whose connection breaks resumes where it was, without a gap or a double', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(4000), when.answer])).body;
  const sent: (string | null)[] = [];
  const seen = browser(streamUrl(id, { event_token: await token(home, id) }), async (url, init) => {
    sent.push(new Headers(init.headers).get('last-event-id'));
    const response = await fetch(url, init);
    if (sent.length > 1 || !response.body) return response;
    let passed = '';
    const cutAtThirdEvent = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        passed += Buffer.from(chunk).toString();
        controller.enqueue(chunk);
        if (passed.split('\nevent: ').length > 3) controller.error(new Error('cut'));
      },
    });
    return new Response(response.body.pipeThrough(cutAtThirdEvent), response);
  });
  await closed(seen);
  expect(seen.ids).toEqual(idsOf(await when.readsLog(home, id)));
  expect(sent[0]).toBeNull();
  expect(seen.ids).toContain(sent[1]);
});

test('an event reaches an open stream while the run is in progress', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(1500)])).body;
  const seen: (string | undefined)[] = [];
  for await (const frame of frames(await open(id))) {
    if (frame.event === 'step.started') expect((await when.readsRun(home, id)).status).toBe('running');
    seen.push(frame.event);
  }
  expect(seen.at(-1)).toBe('run.succeeded');
});

test('an open stream continues when its key is revoked; a new one is refused (rules.md: stream 7)', async () => {
  const revoked = await given.workspace();
  const { id } = (await when.createsPlanRun(revoked, [think(1500)])).body;
  const event_token = await token(revoked, id);
  const stream = await fetch(streamUrl(id, { event_token }));
  await admin({ command: 'key.revoke', key_id: revoked.key_id });
  expect((await fetch(streamUrl(id, { event_token }))).status).toBe(401);
  expect((await eventsOf(stream)).at(-1)?.event).toBe('run.succeeded');
});

test('the stream begins right after last_event_id', async () => {
  const log = idsOf(await when.readsLog(home, run));
  const found = await eventsOf(await open(run, log[2]));
  expect(found.map(({ id }) => id)).toEqual(log.slice(3));
});

test('of header and query the header wins', async () => {
  const log = idsOf(await when.readsLog(home, run));
  const good = await open(run, 'never', { 'Last-Event-ID': log[4] ?? '' });
  expect((await eventsOf(good)).map(({ id }) => id)).toEqual(log.slice(5));
  const bad = await open(run, log[4], { 'Last-Event-ID': 'never' });
  expect(bad.status).toBe(422);
});

test('an id that the run never emitted is refused, in the envelope, before the stream begins', async () => {
  const other = (await when.createsPlanRun(home, [when.fetchCompanies])).body.id;
  const foreign = idsOf(await when.readsLog(home, other))[0] ?? '';
  const own = idsOf(await when.readsLog(home, run)).at(-1) ?? '';
  const beyond = `${own.slice(0, -8)}ffffffff`;
  const zero = `${own.slice(0, -8)}00000000`;
  for (const id of ['', 'x', foreign, beyond, zero, own.toUpperCase(), `${own}0`, `exp_${own}`]) {
    const query = { event_token: await token(home, run), last_event_id: id };
    const reply = await call('GET', `/runs/${run}/events/stream?${new URLSearchParams(query)}`);
    expect(reply.status, id).toBe(422);
    expect(reply.body.error).toMatchObject({ code: 'schema_validation_failed', param: 'last_event_id' });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('resuming at the final event gives 204', async () => {
  const last = idsOf(await when.readsLog(home, run)).at(-1);
  const response = await open(run, last);
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.text()).toBe('');
});

test('the stream of a resumed run continues past run.failed', async () => {
  const failing = [
    when.fetchCompanies,
    { kind: 'analyze', instructions: '[[fail-once]] [[delay:500]] findings' },
  ];
  const { id } = (await when.createsPlanRun(home, failing)).body;
  await then.ended(home, id);
  const ended = await eventsOf(await open(id));
  expect(ended.at(-1)?.event).toBe('run.failed');
  await when.resumes(home, id);
  const resumed = await eventsOf(await open(id, ended.at(-1)?.id));
  expect(resumed.at(-1)?.event).toBe('run.succeeded');
  const whole = await eventsOf(await open(id));
  expect(whole.map((frame) => frame.id)).toEqual([...ended, ...resumed].map((frame) => frame.id));
});

test('after a cancel the stream stays open until run.canceled', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(1500)])).body;
  await then.event(home, id, 'step.started', { step_index: 1 });
  const response = await open(id);
  expect((await call('POST', `/runs/${id}/cancel`, { key: home.key })).body.status).toBe('canceled');
  const types = (await eventsOf(response)).map(({ event }) => event);
  expect(types.slice(-2)).toEqual(['step.completed', 'run.canceled']);
});

test('the stream address that comes with the token serves the same stream', async () => {
  const { body } = await call('POST', `/runs/${run}/events/token`, { key: home.key });
  const url = streamUrl(run, { event_token: body.event_token }, body.stream_url);
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const log = idsOf(await when.readsLog(home, run));
  expect((await eventsOf(response)).map(({ id }) => id)).toEqual(log);
  const last = log.at(-1) ?? '';
  expect((await fetch(url, { headers: { 'Last-Event-ID': last } })).status).toBe(204);
  const refused = await fetch(streamUrl(run, { event_token: 'x' }, body.stream_url));
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: { code: 'auth_invalid' } });
  const unknown = await fetch(body.stream_url.replace('/events/stream', '/elsewhere'));
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ error: { code: 'not_found' } });
});

test('a stream lasts as long as its reader asks, and the next one continues (rules.md: stream 9)', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, think(5000), when.answer])).body;
  const event_token = await token(home, id);
  const seen: (string | undefined)[] = [];
  let ended = 0;
  for (let last_event_id: string | undefined; ; ended += 1) {
    const query = { event_token, max_ms: '1000', last_event_id };
    const events = await eventsOf(await fetch(streamUrl(id, query)));
    const last = events.at(-1);
    const expired = last?.event === 'connection.expired' ? events.pop() : undefined;
    seen.push(...events.map((frame) => frame.id));
    if (!expired) break;
    const { data } = JSON.parse(expired.data ?? '{}');
    expect(data).toMatchObject({ max_duration_ms: 1000, last_event_id: seen.at(-1) ?? null });
    last_event_id = expired.id;
  }
  expect(seen).toEqual(idsOf(await when.readsLog(home, id)));
  expect(ended).toBeGreaterThan(0);
  for (const max_ms of ['', '0', '999', '600001', '1e4', 'x']) {
    const query = new URLSearchParams({ event_token, max_ms });
    const refusal = await call('GET', `/runs/${id}/events/stream?${query}`);
    expect([refusal.status, refusal.body.error.param], max_ms).toEqual([422, 'max_ms']);
  }
});

test('a key has a hundred open streams, also those that their readers have left (rules.md: stream 8)', async () => {
  const crowded = await given.workspace();
  const other = await given.key(crowded.workspace_id, ['runs:read']);
  const { id } = (await when.createsPlanRun(crowded, [think(50_000)])).body;
  await then.event(crowded, id, 'step.started');
  const event_token = await token(crowded, id);
  const leaving = new AbortController();
  const stream = (init: RequestInit = {}) => fetch(streamUrl(id, { event_token }), init);
  for (let i = 0; i < 5; i += 1) {
    const some = Array.from({ length: 20 }, () => stream({ signal: leaving.signal }));
    expect(new Set((await Promise.all(some)).map(({ status }) => status))).toEqual(new Set([200]));
  }
  expect((await stream({ method: 'HEAD' })).status).toBe(200);
  leaving.abort();
  const path = `/runs/${id}/events/stream`;
  for (const refusal of [
    await call('GET', `${path}?${new URLSearchParams({ event_token })}`),
    await call('GET', path, { key: crowded.key }),
  ]) {
    expect([refusal.status, refusal.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const opened = await fetch(streamUrl(id, {}), { headers: { authorization: `Bearer ${other.key}` } });
  expect(opened.status).toBe(200);
  await opened.body?.cancel();
  await call('POST', `/runs/${id}/cancel`, { key: crowded.key });
});

test('forty open streams see every event while runs are created', async () => {
  const held = [when.fetchCompanies, think(2500), when.answer];
  const runs = await Promise.all(Array.from({ length: 10 }, () => when.createsPlanRun(home, held)));
  const ids = Array.from({ length: 40 }, (_, i) => String(runs[i % runs.length]?.body.id));
  const streams = ids.map(async (id) => ({ id, seen: await eventsOf(await open(id)) }));
  const created = await Promise.all(
    Array.from({ length: 20 }, () => when.createsPlanRun(home, [when.fetchCompanies])),
  );
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([202]));
  for (const { id, seen } of await Promise.all(streams))
    expect(seen.map((frame) => frame.id)).toEqual(idsOf(await when.readsLog(home, id)));
});
