// Data on stdout, talk on stderr; no control characters, whatever their source.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { answering, runs } from './terminal.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const HOSTILE = 'Wipe\u001b[2J\u001b]0;owned\u0007 \r\n\u009b31m\u202etxt';
const plan = (...steps: Record<string, unknown>[]) => JSON.stringify(when.plan(...steps));

test('where nothing can be redrawn there is a line per finished step, and no sign that steers a terminal', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const steps = [when.fetchCompanies, { ...when.keepBerlin, title: HOSTILE }, when.answer];
  const done = await runs(['create', '--plan', '-', '--watch'], { home, stdin: plan(...steps) });
  expect(done.code).toBe(0);
  expect(done.out + done.err).not.toMatch(STEERING);
  const told = done.err.trimEnd().split('\n');
  expect(told.map((line) => line.replace(/[\d.]+ m?s/, 'N s'))).toEqual([
    expect.stringMatching(/^run \S{36}: Test plan$/),
    'step 1 of 3 completed: Step 0, 3 items, N s',
    'step 2 of 3 completed: Wipe  txt, 2 items, N s',
    'step 3 of 3 completed: Step 2, N s',
    expect.stringMatching(/^succeeded in N s, \S+ USD simulated$/),
  ]);
  expect(done.out).toMatch(/^Found: 2 companies/);
});

test('JSON is the envelope that the service gives, on one line, and nothing else is on stdout', async () => {
  const home = await given.workspace();
  const done = await runs(['create', '--plan', '-', '--watch', '--json'], {
    home,
    stdin: plan({ kind: 'fetch', title: HOSTILE }),
  });
  expect(done.out).not.toMatch(STEERING);
  const run = JSON.parse(done.out);
  expect(run).toEqual(await when.readsRun(home, run.id));
  const got = await runs(['get', run.id, '--json'], { home });
  expect(JSON.parse(got.out)).toEqual(run);
  expect(got.err).toBe('');
  const listed = JSON.parse((await runs(['list', '--json', '--limit', '1'], { home })).out);
  expect(listed).toMatchObject({
    object: 'list',
    data: [{ id: run.id, title: 'Test plan' }],
    has_more: false,
  });
});

test('tail prints every event of the log, one per line, and continues after a given one', async () => {
  const home = await given.workspace();
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }, { kind: 'fetch' }]);
  const tail = async (...flags: string[]) =>
    (await runs(['tail', run.id, '--json', ...flags], { home })).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const events = await tail();
  expect(events).toEqual(await when.readsLog(home, run.id));
  expect(await tail('--since', events[3].event_id)).toEqual(events.slice(4));
  const text = (await runs(['tail', run.id], { home })).out;
  expect(text.trimEnd().split('\n')).toHaveLength(events.length);
});

test('one field of a run alone, and a wrong one names those there are', async () => {
  const home = await given.workspace();
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
  await then.ended(home, run.id);
  expect(await runs(['get', run.id, '--field', 'status'], { home })).toMatchObject({ out: 'succeeded\n' });
  expect(await runs(['get', run.id, '--field', 'usage.calls', '--json'], { home })).toMatchObject({
    out: '0\n',
  });
  expect(await runs(['get', run.id, '--field', 'state'], { home })).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is id, object, status'),
  });
});

test('colours: on a terminal, not with NO_COLOR, anywhere with FORCE_COLOR', async () => {
  const { paintFor } = await import('../../clients/cli/output/terminal.ts');
  const painted = (isTTY: boolean, env: Record<string, string>) =>
    paintFor({ write() {}, isTTY }, env)('red', 'x') !== 'x';
  expect(painted(true, {})).toBe(true);
  expect(painted(false, {})).toBe(false);
  expect(painted(true, { NO_COLOR: '1' })).toBe(false);
  expect(painted(true, { TERM: 'dumb' })).toBe(false);
  expect(painted(false, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(true);
  expect(painted(true, { FORCE_COLOR: '0' })).toBe(false);
});

test('an error shows its page and the request id, and none of its control characters', async () => {
  const error = {
    code: 'internal_error',
    type: 'internal',
    message: HOSTILE,
    doc_url: 'http://a.example/docs',
    request_id: 'r1',
  };
  const home = { key: 'sk_of_nobody', access: { base_url: 'http://127.0.0.1:9/api/v1', site_url: '' } };
  const done = await runs(['cancel', 'x'], { home, fetch: answering(409, { error }) });
  expect(done).toMatchObject({
    code: 6,
    out: '',
    err: 'runs: internal_error: Wipe  txt (http://a.example/docs, request r1)\n',
  });
});
