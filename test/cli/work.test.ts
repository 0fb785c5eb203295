// `runs jobs` and `runs work` on a stand-in of the service: which job a program gets, and what is reported of it.
import { expect, test } from 'vitest';
import { freePort } from '../support/local-server.ts';
import { runs } from './terminal.ts';

const JOB = {
  object: 'job',
  ...{ job_id: 'r-0-0-1', run_id: 'r', step_index: 0, attempt: 1, source: 'scores', kind: 'job' },
  ...{
    status: 'open',
    created_at: 1_000,
    deadline_at: 2_000,
    title: 'Score',
    instructions: '',
    query: 'best',
  },
  ...{ limit: 20, entity_type: 'score', items_in: [{ id: '1', name: 'Acme', type: 'company', fields: {} }] },
};

const SOURCES = [
  { name: 'scores', kind: 'job' },
  { name: 'approval', kind: 'person' },
];

interface Reported {
  message: string;
  body: Record<string, unknown>;
}

/** The service with one open job; the first message that completes or fails it closes it. */
function service(refusals: Record<string, Response[]> = {}) {
  const reports: Reported[] = [];
  const lists: string[] = [];
  const answering: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const name = pathname.split('/').at(-1) ?? '';
    const refusal = refusals[name]?.shift();
    if (name === 'sources') return Response.json({ object: 'list', data: SOURCES });
    if (name === 'jobs') {
      lists.push(search);
      const over = reports.some(({ message }) => ['complete', 'fail'].includes(message));
      return Response.json({ object: 'list', data: over ? [] : [JOB], has_more: false, next_cursor: null });
    }
    if (init?.method !== 'POST') return Response.json(JOB);
    reports.push({ message: name, body: JSON.parse(String(init.body)) });
    return refusal ?? Response.json({ accepted: true });
  };
  return { reports, lists, fetch: answering };
}

const env = { RUNS_API_KEY: 'k', RUNS_BASE_URL: 'http://service.test/api/v1', PATH: process.env.PATH ?? '' };

/** One job, done by a program in JavaScript. */
async function worked(program: string, given = service(), ...flags: string[]) {
  const args = ['work', '--source', 'scores', '--once', ...flags, '--', process.execPath, '-e', program];
  return { ...given, ...(await runs(args, { env, fetch: given.fetch })) };
}

const refusal = (status: number, code: string, message: string) =>
  Response.json({ error: { code, type: 'conflict', message, doc_url: 'd', request_id: 'r' } }, { status });

const SCORES = `
  let text = '';
  process.stdin.on('data', (piece) => (text += piece)).on('end', () => {
    const { items_in } = JSON.parse(text);
    console.error('scoring');
    console.log(JSON.stringify(items_in.map(({ name }) => ({ name, fields: { score: 1 } }))));
  });
`;

test('a program gets the job as JSON, and what it prints are the items', async () => {
  const { code, out, err, reports, lists } = await worked(SCORES);
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(reports).toEqual([
    { message: 'complete', body: { items: [{ name: 'Acme', fields: { score: 1 } }] } },
  ]);
  expect(err).toBe(
    'taking jobs of scores; Ctrl-C stops\nr-0-0-1: Score, 1 item\nscoring\nr-0-0-1: completed with 1 item\n',
  );
  expect(lists).toEqual(['?status=open&kind=job&source=scores&limit=100']);
});

test.each([
  [
    'an object with usage',
    '{"items":[{"name":"a"}],"usage":{"cost_usd":1}}',
    { items: [{ name: 'a' }], usage: { cost_usd: 1 } },
  ],
  ['lines of JSON', '{"name":"a"}\n\n{"name":"b"}\n', { items: [{ name: 'a' }, { name: 'b' }] }],
  ['one line', '{"name":"a"}', { items: [{ name: 'a' }] }],
  ['nothing', '', { items: [] }],
])('a result may be %s', async (_, printed, body) => {
  const { reports } = await worked(`process.stdout.write(${JSON.stringify(printed)})`);
  expect(reports).toEqual([{ message: 'complete', body }]);
});

test('a program that fails fails the attempt, with its last line on stderr', async () => {
  const { code, reports } = await worked(
    'console.error("first"); console.error("\\u001b[31mNo such city\\u001b[0m"); process.exit(3)',
  );
  expect(code).toBe(0);
  expect(reports).toEqual([{ message: 'fail', body: { message: 'No such city', retry: true } }]);
  const silent = await worked('process.exit(3)');
  expect(silent.reports[0]?.body.message).toMatch(/ended with 3$/);
});

test('what is no result fails the attempt, with the reason', async () => {
  const text = await worked('console.log("Hello")');
  expect(text.reports[0]?.body.message).toBe(
    'What it printed is no result: neither JSON nor lines of JSON (line 1)',
  );
  const wrong = service({ complete: [refusal(422, 'schema_validation_failed', 'items.0.name is missing')] });
  const refused = await worked('console.log("[{}]")', wrong);
  expect(refused.reports.map(({ message }) => message)).toEqual(['complete', 'fail']);
  expect(refused.reports[1]?.body.message).toContain('items.0.name is missing');
});

test('a job that is over meanwhile is left, and said to be', async () => {
  const over = service({ complete: [refusal(409, 'job_over', 'The job is over.')] });
  const { code, err } = await worked(SCORES, over);
  expect(code).toBe(0);
  expect(err).toContain('r-0-0-1: The job is over.\n');
});

test('Ctrl-C ends the program and leaves the job open', async () => {
  const stop = new AbortController();
  const { reports, fetch } = service();
  const waiting = 'console.error("at work"); setInterval(() => undefined, 1000)';
  const { code, err } = await runs(['work', '--source', 'scores', '--', process.execPath, '-e', waiting], {
    env,
    fetch,
    interrupted: stop.signal,
    onTalk: (text) => text.includes('at work') && stop.abort(),
  });
  expect(code).toBe(130);
  expect(err).toContain('r-0-0-1 stays open\n');
  expect(reports.filter(({ message }) => message !== 'progress')).toEqual([]);
});

test('what the program has started does not keep Ctrl-C waiting', async () => {
  const stop = new AbortController();
  // The loop ends once its reader is gone.
  const looping = 'while sleep 0.1; do echo on; done & echo "at work" >&2; wait';
  const { code, err } = await runs(['work', '--source', 'scores', '--', 'sh', '-c', looping], {
    env,
    fetch: service().fetch,
    interrupted: stop.signal,
    onTalk: (text) => text.includes('at work') && stop.abort(),
  });
  expect([code, err.endsWith('r-0-0-1 stays open\n')]).toEqual([130, true]);
});

test('a job that another worker has done is said to be', async () => {
  const later = service({ complete: [Response.json({ accepted: false })] });
  expect((await worked(SCORES, later)).err).toContain('r-0-0-1: was completed before, and that holds\n');
  const failed = service({ fail: [Response.json({ accepted: false })] });
  expect((await worked('process.exit(3)', failed)).err).toContain('r-0-0-1: had failed before\n');
});

test.each(['score', 'approval'])('%s is no source of jobs: it is not waited for', async (name) => {
  const { code, err } = await runs(['work', '--source', name, '--', 'true'], { env, fetch: service().fetch });
  expect({ code, err }).toEqual({
    code: 5,
    err: `runs: --source ${name} is no source of kind job; there is scores\n`,
  });
});

test('with a port it takes what the service sends to the source', async () => {
  const port = await freePort();
  const told = `fetch('http://127.0.0.1:${port}/', { method: 'POST', body: '{}' }).then(({ status }) =>
    console.log(JSON.stringify([{ name: String(status) }])))`;
  const { reports } = await worked(told, service(), '--port', String(port));
  expect(reports[0]?.body).toEqual({ items: [{ name: '202' }] });
});

test('a program that cannot be started is a wrong command line, and the job stays open', async () => {
  const { reports, fetch } = service();
  const done = await runs(['work', '--source', 'scores', '--', './no-such-program'], { env, fetch });
  expect(done.code).toBe(2);
  expect(done.err).toContain('runs: ./no-such-program cannot be started: ');
  expect(reports).toEqual([]);
});

test('jobs are listed, shown, completed and failed', async () => {
  const given = service();
  const run = (args: string[], stdin = '') => runs(['jobs', ...args], { env, stdin, fetch: given.fetch });
  expect((await run(['list', '--status', 'open', '--run', 'r'])).out).toMatch(/^r-0-0-1 {2}scores {2}open /);
  expect(given.lists).toEqual(['?status=open&run_id=r']);
  expect((await run(['get', 'r-0-0-1'])).out).toMatch(/Score\nbest\nstep 1 of run r.*\nwith Acme\n$/);
  await run(['complete', 'r-0-0-1', '-f', '-'], '{"answer":{"ok":true}}');
  await run(['complete', 'r-0-0-1']);
  expect((await run(['complete', 'r-0-0-1', '-f', '-'], 'text')).code).toBe(2);
  await run(['fail', 'r-0-0-1', '-m', 'Not now', '--retry']);
  expect(given.reports).toEqual([
    { message: 'complete', body: { answer: { ok: true } } },
    { message: 'complete', body: { items: [] } },
    { message: 'fail', body: { message: 'Not now', retry: true } },
  ]);
});
