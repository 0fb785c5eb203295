// A worker of jobs on a stand-in of the service: what it takes, what it runs and what it reports.
import { afterEach, expect, test, vi } from 'vitest';
import { fixtures, type JobHandler, sign, type WorkerOptions, worker } from '../../clients/sdk/index.ts';
import { refused } from './fake-service.ts';

const SECRET = 'src_secret';
const JOB = {
  event: 'job.requested',
  job_id: 'r-0-0-1',
  job_url: 'http://service.test/api/v1/jobs/r-0-0-1',
  token: 'token.mac',
  title: 'T',
  items: [{ id: '1', name: 'Acme', type: 'company', fields: { city: 'Berlin' } }],
};

interface Report {
  to: string;
  authorization: string | null;
  body: Record<string, unknown>;
}

const taken = () => new Response(JSON.stringify({ accepted: true }));

/** A worker with this handler whose reports get these answers, the last one for all further ones. */
function working(handler: JobHandler, answers: (() => Response)[] = [taken], options: WorkerOptions = {}) {
  const reports: Report[] = [];
  const errors: unknown[] = [];
  const service: typeof fetch = async (url, init) => {
    const path = String(url).replace(JOB.job_url, '');
    const authorization = new Headers(init?.headers).get('authorization');
    reports.push({ to: path, authorization, body: JSON.parse(String(init?.body)) });
    return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? new Response();
  };
  const onError = (error: unknown) => errors.push(error);
  const work = worker(SECRET, handler, { fetch: service, onError, ...options });
  const tell = async (body: object = JOB, secret = SECRET) => {
    const text = JSON.stringify(body);
    const headers = await sign(text, { secret });
    return (await work(new Request('http://worker.test/', { method: 'POST', body: text, headers }))).status;
  };
  return { reports, errors, tell, work };
}

afterEach(() => {
  vi.useRealTimers();
});

/** The outcome of work, with the clock of its pauses run on until it is there. */
async function hurried<T>(start: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let over = false;
  const work = start().finally(() => {
    over = true;
  });
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return work;
}

/** A promise that a test settles. */
function gate<T = void>() {
  let open: (value: T) => void = () => undefined;
  const passed = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

test('the fixture of a job is done as the job of a service is', async () => {
  const job = fixtures.jobs['job.requested'];
  const { reports, tell } = working(({ items }) => items);
  expect(await tell(job)).toBe(202);
  const authorization = `Bearer ${job.token}`;
  expect(reports).toEqual([{ to: `${job.job_url}/complete`, authorization, body: { items: job.items } }]);
  expect(await tell(fixtures.jobs['job.canceled'])).toBe(200);
});

test('it reports what the handler returns, with the token of the job', async () => {
  const items = [{ name: 'Ada', fields: { score: 3 } }];
  const { reports, tell } = working(({ items: [company] }) => {
    expect(company).toMatchObject({ name: 'Acme' });
    return items;
  });
  expect(await tell()).toBe(202);
  expect(reports).toEqual([{ to: '/complete', authorization: 'Bearer token.mac', body: { items } }]);
});

test('it reports the usage of the work', async () => {
  const usage = { input_tokens: 10, output_tokens: 2, cost_usd: 0.01 };
  const { reports, tell } = working(async () => ({ usage }));
  await tell();
  expect(reports[0]?.body).toEqual({ items: [], usage });
});

const returning = (returned: unknown) => working((() => returned) as never);

test.each([
  ['undefined', undefined],
  ['null', null],
  ['an empty object', {}],
])('a handler that returns %s completes the job without items', async (_, returned) => {
  const { reports, tell } = returning(returned);
  await tell();
  expect(reports).toMatchObject([{ to: '/complete', body: { items: [] } }]);
});

test('items are those of any iterable, so that none is lost', async () => {
  const { reports, tell } = returning(new Set([{ name: 'Ada' }]));
  await tell();
  expect(reports).toMatchObject([{ to: '/complete', body: { items: [{ name: 'Ada' }] } }]);
});

test.each([['a text'], [5], [{ name: 'Ada' }]])(
  '%j is no result: the attempt fails, and says so',
  async (returned) => {
    const { reports, tell } = returning(returned);
    await tell();
    const message = 'The handler returned neither a list of items nor an object with items or usage.';
    expect(reports).toMatchObject([{ to: '/fail', body: { message, retry: true } }]);
  },
);

test('more than a megabyte goes ahead in pages, in the order of the items', async () => {
  const items = Array.from({ length: 30 }, (_, i) => ({
    name: `é${i}`,
    fields: { text: 'é'.repeat(45_000) },
  }));
  const { reports, tell } = working(() => items);
  await tell();
  expect(reports.map(({ to }) => to)).toEqual(['/items', '/items', '/complete']);
  expect(reports.map(({ body }) => body.page)).toEqual([0, 1, undefined]);
  expect(reports.flatMap(({ body }) => body.items)).toEqual(items);
  for (const { body } of reports)
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(1024 * 1024);
});

test('what a handler throws fails the attempt, with its message', async () => {
  const { reports, errors, tell } = working(() => {
    throw new Error('😀'.repeat(300));
  });
  expect(await tell()).toBe(202);
  expect(reports).toEqual([
    { to: '/fail', authorization: 'Bearer token.mac', body: { message: '😀'.repeat(250), retry: true } },
  ]);
  expect(errors).toHaveLength(1);
  const silent = working(() => Promise.reject(new Error()));
  await silent.tell();
  expect(silent.reports[0]?.body.message).toBe('The worker failed.');
});

test('items that the service refuses fail the attempt, with the reason', async () => {
  const wrong = () => refused(422, 'schema_validation_failed', {}, { message: 'items.0.name is empty' });
  const { reports, tell } = working(() => [{ name: '' }], [wrong, taken]);
  await tell();
  expect(reports.map(({ to }) => to)).toEqual(['/complete', '/fail']);
  expect(reports[1]?.body.message).toBe('items.0.name is empty');
});

test('a job that comes twice runs once while the first is at work', async () => {
  const { passed, open } = gate();
  const handler = vi.fn(async () => {
    await passed;
    return [];
  });
  const { reports, tell } = working(handler);
  const both = Promise.all([tell(), tell()]);
  await vi.waitFor(() => expect(handler).toHaveBeenCalled());
  open();
  expect(await both).toEqual([202, 202]);
  expect(handler).toHaveBeenCalledTimes(1);
  expect(reports).toHaveLength(1);
});

test('it answers before the work is done, and the work goes on', async () => {
  const { passed, open } = gate();
  const { reports, tell } = working(() => passed.then(() => []), [taken], { answerAfterMs: 1 });
  expect(await tell()).toBe(202);
  expect(reports).toEqual([]);
  open();
  await vi.waitFor(() => expect(reports).toHaveLength(1));
});

test('it can answer at the end of the work alone', async () => {
  const { passed, open } = gate();
  const { reports, tell } = working(() => passed.then(() => []), [taken], { answerAfterMs: Infinity });
  const answered = tell();
  open();
  expect(await answered).toBe(202);
  expect(reports).toHaveLength(1);
});

test('a report that is lost makes the service send the job again', async () => {
  const away = () => refused(503, 'unavailable');
  const { tell, errors } = working(() => [], [away], { answerAfterMs: Number.POSITIVE_INFINITY });
  expect(await hurried(() => tell())).toBe(503);
  expect(errors.length).toBeGreaterThan(0);
});

test('a cancel fires the signal of the handler, and nothing is reported', async () => {
  const seen = gate<unknown>();
  const { reports, tell, errors } = working(
    (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          seen.open(signal.reason);
          reject(signal.reason);
        });
      }),
    [taken],
    { answerAfterMs: 1 },
  );
  await tell();
  expect(await tell({ event: 'job.canceled', job_id: JOB.job_id })).toBe(200);
  expect(String(await seen.passed)).toBe('Error: The job is over.');
  expect(await tell({ event: 'job.canceled', job_id: 'unknown' })).toBe(200);
  expect({ reports, errors }).toEqual({ reports: [], errors: [] });
});

test('progress is reported, and says when the job is over', async () => {
  const over = () => refused(409, 'job_over', {}, { details: { status: 'canceled' } });
  const open = () => new Response(JSON.stringify({ status: 'open' }));
  const reasons: unknown[] = [];
  const { reports, tell } = working(
    async (_, { progress, signal }) => {
      await progress({ items_done: 1, items_total: 2 });
      await progress().catch((error) => reasons.push(error, signal.reason));
      return [];
    },
    [open, over],
  );
  expect(await tell()).toBe(202);
  expect(reports.map(({ to, body }) => [to, body])).toEqual([
    ['/progress', { items_done: 1, items_total: 2 }],
    ['/progress', {}],
  ]);
  expect(reasons).toEqual([expect.objectContaining({ code: 'job_over' }), reasons[0]]);
});

test('a heartbeat that is lost does not end the work; one that is wrong does', async () => {
  const away = () => refused(503, 'unavailable');
  const beating: JobHandler = async (_, { progress }) => {
    await progress({ message: 'half' });
    return [];
  };
  const lost = working(beating, [away, away, taken]);
  expect(await hurried(() => lost.tell())).toBe(202);
  expect(lost.reports.at(-1)?.to).toBe('/complete');
  const wrong = working(beating, [() => refused(422, 'schema_validation_failed'), taken]);
  await hurried(() => wrong.tell());
  expect(wrong.reports.at(-1)?.to).toBe('/fail');
});

test('what is not signed is 401, and what is no job 400', async () => {
  const handler = vi.fn(() => []);
  const { tell, work } = working(handler);
  expect(await tell(JOB, 'another')).toBe(401);
  expect((await work(new Request('http://worker.test/'))).status).toBe(401);
  expect(await tell({ event: 'job.requested', job_id: '1' })).toBe(400);
  expect(await tell({ ...JOB, job_url: 'nowhere' })).toBe(400);
  expect(await tell({ event_type: 'run.succeeded' })).toBe(400);
  const headers = await sign('{', { secret: SECRET });
  const broken = new Request('http://worker.test/', { method: 'POST', body: '{', headers });
  expect((await work(broken)).status).toBe(400);
  expect(handler).not.toHaveBeenCalled();
});

test('one of several secrets signs, as after a rotation', async () => {
  const work = worker(['src_new', SECRET], () => [], { fetch: async () => taken() });
  const body = JSON.stringify(JOB);
  for (const [secret, status] of [
    [SECRET, 202],
    ['src_new', 202],
    ['src_other', 401],
  ] as const) {
    const headers = await sign(body, { secret });
    const answer = await work(new Request('http://worker.test/', { method: 'POST', body, headers }));
    expect(answer.status).toBe(status);
  }
});

test.each([[undefined], [''], [' '], [[]], [['a', '']], [[undefined]]])(
  'a secret that is not set is a mistake of the caller (%j)',
  (secret) => {
    expect(() => worker(secret, () => [])).toThrow(TypeError);
  },
);
