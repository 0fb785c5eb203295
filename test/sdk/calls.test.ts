// Calls of the SDK: what is tried again and when, what is thrown, and what each call sends.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type ClientOptions,
  ConnectionError,
  isApiError,
  RunFailed,
  RunService,
} from '../../clients/sdk/index.ts';
import { BASE_URL, endedRun, envelope, failed, logOf, refused, silence } from './fake-service.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

interface Sent {
  url: URL;
  method: string | undefined;
  headers: Headers;
  body: unknown;
  redirect: string | undefined;
  at: number;
}

type Answer = () => Response | Promise<Response>;

/** A client whose requests get these answers, the last one for all further ones. */
function client(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetcher: typeof fetch = async (url, init) => {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    const headers = new Headers(init?.headers);
    const { method, redirect } = init ?? {};
    sent.push({ url: new URL(String(url)), method, headers, body, redirect, at: Date.now() });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return Promise.race([answer?.() ?? new Response(), silence(init?.signal)]);
  };
  return { sent, service: new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: fetcher, ...options }) };
}

const ok =
  (body: unknown = envelope(), headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { headers });
const lost: Answer = () => Promise.reject(new TypeError('fetch failed'));
const query = { input_type: 'query', query: 'companies' } as const;

/** The outcome of a call, with the clock run on until it is there. */
async function settled<T>(work: PromiseLike<T>): Promise<T> {
  let over = false;
  const outcome = Promise.resolve(work).finally(() => {
    over = true;
  });
  outcome.catch(() => undefined);
  while (!over) await vi.advanceTimersByTimeAsync(50);
  return outcome;
}
const thrown = (work: PromiseLike<unknown>) => settled(Promise.resolve(work).catch((error) => error));
const gaps = (sent: Sent[]) => sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0));

test('a limit is waited out as long as the service asks, and each retry asks for the same run', async () => {
  const limited = () => refused(429, 'concurrent_runs_exceeded', { 'retry-after': '2' });
  const { service, sent } = client([limited, limited, ok(envelope(), { 'idempotency-replayed': 'true' })]);
  expect(await settled(service.runs.create(query))).toMatchObject({ object: 'run', replayed: true });
  for (const gap of gaps(sent)) {
    expect(gap).toBeGreaterThanOrEqual(2_000);
    expect(gap).toBeLessThanOrEqual(3_100);
  }
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

test('two creates have two keys, and a key of the caller is used', async () => {
  const { service, sent } = client([ok()]);
  await settled(service.runs.create(query));
  await settled(service.runs.rerun('1', { step_index: 0 }));
  await settled(service.runs.create(query, { idempotencyKey: 'mine' }));
  const [first, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(first).not.toBe(second);
  expect(third).toBe('mine');
});

test('a delete whose reply was lost is done; a run that was never there is not found', async () => {
  const gone = () => refused(404, 'run_not_found');
  const { service, sent } = client([lost, gone]);
  expect(await settled(service.runs.delete('a/b'))).toBeUndefined();
  expect(sent.map(({ url, method }) => `${method} ${url.pathname.slice(-11)}`)).toEqual(
    Array(2).fill('DELETE /runs/a%2Fb'),
  );
  const { service: other } = client([gone]);
  expect(await thrown(other.runs.delete('1'))).toMatchObject({ code: 'run_not_found', attempts: 1 });
  const { service: third } = client([() => new Response(null, { status: 204 })]);
  expect(await settled(third.runs.delete('1'))).toBeUndefined();
});

test('a wait of more than a minute is thrown at once, with its length', async () => {
  const { service, sent } = client([
    () => refused(429, 'workspace_cost_cap_exceeded', { 'retry-after': '3600' }),
  ]);
  const error = await thrown(service.runs.create(query));
  expect(error).toMatchObject({ code: 'workspace_cost_cap_exceeded', status: 429, retryAfterMs: 3_600_000 });
  expect(sent).toHaveLength(1);
});

test.each([500, 503, 504])('%s is tried again after growing delays, at last thrown', async (status) => {
  const { service, sent } = client([() => refused(status, 'service_unavailable')]);
  const error = await thrown(service.runs.get('1'));
  expect(error).toMatchObject({
    status,
    attempts: 5,
    requestId: 'req',
    docUrl: 'http://d#service_unavailable',
  });
  gaps(sent).forEach((gap, i) => {
    expect(gap).toBeGreaterThanOrEqual(500 * 2 ** i);
    expect(gap).toBeLessThanOrEqual(1_000 * 2 ** i + 100);
  });
  expect(sent).toHaveLength(5);
});

test.each([400, 401, 403, 404, 409, 413, 422])('%s is thrown at once', async (status) => {
  const { service, sent } = client([
    () => refused(status, 'not_found', {}, { param: 'p', details: { a: 1 } }),
  ]);
  const error = await thrown(service.runs.get('1'));
  expect(error).toMatchObject({ code: 'not_found', status, param: 'p', details: { a: 1 }, attempts: 1 });
  expect(isApiError(error)).toBe(true);
  expect(isApiError(error, 'not_found')).toBe(true);
  expect(isApiError(error, 'run_not_found')).toBe(false);
  expect(sent).toHaveLength(1);
});

test.each(['model_refused', 'model_answer_unusable'])('a 500 %s is thrown at once', async (code) => {
  const { runs } = client([() => refused(500, code)]).service;
  expect(await thrown(runs.get('1'))).toMatchObject({ code, attempts: 1 });
});

test('a lost connection, a reply cut in the middle and a page of a proxy are tried again', async () => {
  const cut: Answer = () => new Response('{"id": "1', { status: 202 });
  const proxy: Answer = () => new Response('<h1>Bad Gateway</h1>', { status: 502 });
  const { service, sent } = client([lost, cut, proxy, ok()]);
  expect(await settled(service.runs.create(query))).toMatchObject({ object: 'run' });
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  const { service: away } = client([lost], { maxRetries: 1 });
  const error = await thrown(away.runs.get('1'));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ attempts: 2, status: undefined, cause: new TypeError('fetch failed') });
  const { service: proxied } = client([proxy], { maxRetries: 0 });
  expect(await thrown(proxied.runs.get('1'))).toMatchObject({ name: 'ConnectionError', status: 502 });
});

test('a try that takes too long counts as lost', async () => {
  const { service, sent } = client([() => new Promise<Response>(() => undefined), ok()], {
    timeoutMs: 5_000,
  });
  expect(await settled(service.runs.get('1'))).toMatchObject({ object: 'run' });
  expect(gaps(sent)[0]).toBeGreaterThanOrEqual(5_500);
});

test('a signal ends a call with its reason, also between two tries', async () => {
  for (const answer of [lost, () => new Promise<Response>(() => undefined)]) {
    const { service, sent } = client([answer]);
    const abort = new AbortController();
    const call = service.runs.get('1', { signal: abort.signal }).catch((error) => error);
    await vi.advanceTimersByTimeAsync(200);
    abort.abort('enough');
    expect(await call).toBe('enough');
    expect(sent).toHaveLength(1);
    expect(await thrown(service.runs.get('1', { signal: abort.signal }))).toBe('enough');
  }
});

test('each attempt sends the current key and the request id', async () => {
  let keys = 0;
  const apiKey = async () => `k${++keys}`;
  const { service, sent } = client([lost, ok()], { apiKey });
  await settled(service.runs.get('a/b', { requestId: 'mine' }));
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer k1', 'Bearer k2']);
  expect(sent.map(({ headers }) => headers.get('x-request-id'))).toEqual(['mine', 'mine']);
  expect(sent[0]?.url.href).toBe(`${BASE_URL}/runs/a%2Fb`);
});

test('an address that is none is refused when the client is made', () => {
  expect(() => new RunService({ apiKey: 'k', baseUrl: 'service' })).toThrow(TypeError);
});

test.each([undefined, null, '', ' \n'])(
  'the key %j is refused when the client is made, or is used (rules.md: clients 1)',
  async (key) => {
    const apiKey = key as string;
    expect(() => new RunService({ apiKey, baseUrl: BASE_URL })).toThrow(/apiKey/);
    const { service, sent } = client([ok()], { apiKey: () => apiKey });
    expect(await thrown(service.me())).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  },
);

test.each(['', '.', '..'])(
  'the id "%s" would lead to another path: nothing is sent (rules.md: clients 2)',
  async (id) => {
    const { service, sent } = client([ok()]);
    const { runs, artifacts, notes, entities, deliveries, monitors, keys } = service;
    const calls = [
      ...[runs.get(id), runs.trace(id), runs.cancel(id), runs.resume(id), runs.delete(id), runs.wait(id)],
      ...[runs.rerun(id, { step_index: 0 }), runs.events(id), runs.watch(id, { transport: 'poll' }).done()],
      ...[artifacts.get(id), artifacts.csv(id), artifacts.link(id), artifacts.rows(id).next()],
      ...[notes.get(id), entities.get(id), deliveries.list(id)],
      ...[deliveries.redeliver(id, 'evt'), deliveries.redeliver('1', id)],
      ...[
        monitors.get(id),
        monitors.update(id, {}),
        monitors.delete(id),
        monitors.fire(id),
        monitors.fires(id),
      ],
      ...[keys.rotate(id), keys.revoke(id)],
    ];
    const errors = await Promise.all(calls.map((call) => thrown(call)));
    for (const error of errors) expect(error).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  },
);

test('an id with dots of its own is sent', async () => {
  const { service, sent } = client([ok()]);
  for (const id of ['...', '.a', 'a..', '../x', './']) await settled(service.notes.get(id));
  const paths = sent.map(({ url }) => url.pathname.replace('/api/v1/notes/', ''));
  expect(paths).toEqual(['...', '.a', 'a..', '..%2Fx', '.%2F']);
});

test.each([301, 302, 303, 307, 308])(
  'a redirect by %i is not followed, and not asked for again (rules.md: clients 2)',
  async (status) => {
    const { service, sent } = client([
      () => new Response(null, { status, headers: { location: 'http://elsewhere.test/' } }),
    ]);
    const error = await thrown(service.runs.create(query));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ status, message: `HTTP ${status}: a redirect, which is not followed` });
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  },
);

test('every call follows the document', async () => {
  const { service, sent } = client([ok({ results: [], data: [] })], { baseUrl: `${BASE_URL}/` });
  const calls = [
    service.me(),
    service.runs.check(query),
    service.runs.cancel('1'),
    service.runs.resume('1'),
    service.runs.rerun('1', { step_index: 2 }),
    service.artifacts.get('1', { links: true }),
    service.notes.get('1'),
    service.entities.resolve({ external_uri: 'crm:acme' }),
    service.entities.search({ query: 'ac' }),
    service.deliveries.list('1'),
    service.deliveries.redeliver('1', 'e'),
    service.runs.events('1', { cursor: 'c', limit: 5 }),
  ];
  await settled(Promise.all(calls));
  const pathOf = ({ pathname, search }: URL) => pathname.slice('/api/v1'.length) + search;
  const lines = sent.map(({ method, url }) => `${method} ${pathOf(url)}`);
  expect(lines.map(decodeURIComponent)).toEqual([
    'GET /me',
    'POST /runs?validate_only=1',
    'POST /runs/1/cancel',
    'POST /runs/1/resume',
    'POST /runs/1/rerun-from',
    'GET /artifacts/1?include=links',
    'GET /notes/1',
    'GET /entities/resolve?refs=[{"external_uri":"crm:acme"}]',
    'GET /entities?query=ac',
    'GET /runs/1/webhook-deliveries',
    'POST /runs/1/webhook-deliveries/e/redeliver',
    'GET /runs/1/events?cursor=c&limit=5',
  ]);
});

test('a resume whose reply was lost is not refused as in progress', async () => {
  const inProgress = () => refused(409, 'run_not_resumable', {}, { details: { reason: 'in_progress' } });
  const { service } = client([lost, inProgress, ok(envelope({ status: 'running' }))]);
  expect(await settled(service.runs.resume('1'))).toMatchObject({ status: 'running' });
  const { service: other } = client([inProgress]);
  expect(isApiError(await thrown(other.runs.resume('1')), 'run_not_resumable')).toBe(true);
});

test('a list is awaited for one page and looped over for all', async () => {
  const page = (id: string, next_cursor: string | null) =>
    ok({ data: [{ id }], next_cursor, has_more: next_cursor !== null });
  const { service, sent } = client([page('1', 'c1'), page('1', 'c1'), page('2', null)]);
  expect(await settled(service.runs.list({ limit: 1 }))).toMatchObject({
    data: [{ id: '1' }],
    has_more: true,
  });
  const ids: string[] = [];
  for await (const { id } of service.runs.list({ limit: 1, status: ['failed', 'canceled'] })) ids.push(id);
  expect(ids).toEqual(['1', '2']);
  expect(sent.at(-1)?.url.search).toBe('?limit=1&status=failed%2Ccanceled&cursor=c1');
});

test('the log of a run is looped over to its last page, which has a cursor as well', async () => {
  const page = (sequence: number, has_more: boolean) =>
    ok({ data: [{ sequence }], next_cursor: `c${sequence}`, has_more });
  const { service, sent } = client([page(1, true), page(2, false)]);
  const sequences: number[] = [];
  for await (const { sequence } of service.runs.events('1', { limit: 1 })) sequences.push(sequence);
  expect(sequences).toEqual([1, 2]);
  expect(sent.map(({ url }) => url.search)).toEqual(['?limit=1', '?limit=1&cursor=c1']);
});

test('waiting for a run that failed gives it, or throws it where that is wanted', async () => {
  const service = endedRun(logOf(failed), { status: 'failed' });
  const { runs } = new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: service.fetch });
  expect(await settled(runs.wait('1'))).toMatchObject({ status: 'failed' });
  const error = await thrown(runs.wait('1', { throwOnFailure: true }));
  expect(error).toBeInstanceOf(RunFailed);
  expect(error).toMatchObject({ run: { status: 'failed' } });
  expect(await settled(runs.cancel('1', { settle: true }))).toMatchObject({ status: 'failed' });
});

test('a link to an artifact is asked for with what it should be', async () => {
  const { service, sent } = client([ok({ url: 'http://service.test/x', expires_at: 1 })]);
  const link = await settled(service.artifacts.link('1', { format: 'csv', expires_in_seconds: 60 }));
  expect(link).toEqual({ url: 'http://service.test/x', expires_at: 1 });
  expect(sent[0]).toMatchObject({ method: 'POST', body: { format: 'csv', expires_in_seconds: 60 } });
});
