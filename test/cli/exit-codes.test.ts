// Every exit code of `runs`, once, by what really happens.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { folder, runs } from './terminal.ts';

const slow = { kind: 'analyze', instructions: 'Sum up [[delay:3000]]' };
const plan = (...steps: Record<string, unknown>[]) => JSON.stringify(when.plan(...steps));

test('0: the run succeeded', async () => {
  const home = await given.workspace();
  const done = await runs(['create', '--plan', '-', '--wait'], { home, stdin: plan({ kind: 'fetch' }) });
  expect(done).toMatchObject({ code: 0, err: expect.stringMatching(/^run .*\nsucceeded in /) });
});

test('1: the run failed, and stderr shows how to continue', async () => {
  const home = await given.workspace();
  const stdin = plan({ kind: 'analyze', instructions: '[[fail-once]]' });
  const done = await runs(['create', '--plan', '-', '--wait', '--json'], { home, stdin });
  expect(done.code).toBe(1);
  const { id, status } = JSON.parse(done.out);
  expect(status).toBe('failed');
  expect(done.err).toContain(`runs resume ${id}`);
  const resumed = await runs(['resume', id, '--watch'], { home });
  expect(resumed).toMatchObject({ code: 0, err: expect.stringContaining('step 1 of 1 failed: Step 0') });
  expect(resumed.err).toContain('step 1 of 1 completed: Step 0');
});

test('3: the run was canceled; 9: the wait is over before the run', async () => {
  const home = await given.workspace();
  const stdin = plan(slow, { kind: 'fetch' });
  // A function that starts for the first time may take longer than the step.
  await runs(['cancel', 'none'], { home });
  const waited = await runs(['create', '--plan', '-', '--wait', '--timeout', '300ms'], { home, stdin });
  expect(waited).toMatchObject({
    code: 9,
    out: '',
    err: expect.stringMatching(/timed out; the run continues, follow it with: runs watch /),
  });
  const id = waited.err.trim().split(' ').at(-1) ?? '';
  await then.event(home, id, 'step.started');
  expect(await runs(['cancel', id, '--settle'], { home })).toMatchObject({ code: 0, out: `${id}\n` });
  expect(await runs(['watch', id], { home })).toMatchObject({ code: 3 });
  expect((await runs(['get', id], { home })).code).toBe(0);
});

test('4: no key, and a key that is refused', async () => {
  const nobody = { XDG_CONFIG_HOME: join(folder, 'config-of-nobody') };
  expect(await runs(['list'], { env: nobody })).toMatchObject({
    code: 4,
    err: expect.stringContaining('no key'),
  });
  const { base_url } = sharedService();
  const env = { RUNS_API_KEY: 'sk_of_nobody', RUNS_BASE_URL: base_url };
  expect(await runs(['list'], { env })).toMatchObject({
    code: 4,
    err: expect.stringContaining('auth_invalid'),
  });
});

test('4: what is no key, as from a page or with its scheme; blanks around a key do no harm', async () => {
  const { key } = await given.workspace();
  const { base_url: RUNS_BASE_URL } = sharedService();
  for (const [RUNS_API_KEY, name] of [
    [`\u200b${key}`, 'U+200B'],
    [`Bearer ${key}`, 'U+0020'],
  ] as const)
    expect(await runs(['whoami'], { env: { RUNS_API_KEY, RUNS_BASE_URL } })).toEqual({
      ...{ code: 4, out: '' },
      err: `runs: The API key has a character that no key has: ${name}.\n`,
    });
  const env = { RUNS_API_KEY: `\ufeff ${key}\n`, RUNS_BASE_URL };
  expect(await runs(['whoami'], { env })).toMatchObject({ code: 0 });
});

test("a run's id is on stderr as soon as it exists, also where stdout is JSON", async () => {
  const home = await given.workspace();
  const done = await runs(['create', '--plan', '-', '--wait', '--json'], {
    home,
    stdin: plan({ kind: 'fetch' }),
  });
  const { id } = JSON.parse(done.out);
  expect(done.err).toMatch(new RegExp(`^run ${id}: `));
  const again = await runs(['rerun', id, '--step', '0', '--wait', '--json'], { home });
  expect(again.err).toMatch(new RegExp(`^run ${JSON.parse(again.out).id}: `));
});

test('5: not found; 6: refused, with what is wrong where', async () => {
  const home = await given.workspace();
  const id = '17d861b3-8b26-4944-81c3-3df53b76ff64';
  expect(await runs(['get', id], { home })).toMatchObject({
    code: 5,
    err: expect.stringContaining('run_not_found'),
  });
  expect(await runs(['entity', 'resolve', 'crm:nobody'], { home })).toMatchObject({ code: 5 });
  const refused = await runs(['create', '--plan', '-', '--json'], { home, stdin: plan({ kind: 'filter' }) });
  expect(refused).toMatchObject({ code: 6, out: '' });
  expect(JSON.parse(refused.err).error).toMatchObject({
    code: 'missing_required_field',
    param: 'plan.steps.0.instructions',
  });
});

test('7: a limit; a wait beyond a minute is not waited for', async () => {
  const home = await given.workspace({ daily_cost_cap_usd: 0.000001 });
  const stdin = plan({ kind: 'analyze', instructions: 'Sum up' });
  expect((await runs(['create', '--plan', '-', '--wait'], { home, stdin })).code).toBe(0);
  expect(await runs(['create', '--plan', '-'], { home, stdin })).toMatchObject({
    code: 7,
    err: expect.stringContaining('workspace_cost_cap_exceeded'),
  });
});

test('8: the service is away', async () => {
  const env = { RUNS_API_KEY: 'sk_of_nobody', RUNS_BASE_URL: 'http://127.0.0.1:9/api/v1' };
  expect(await runs(['list'], { env })).toMatchObject({
    code: 8,
    err: expect.stringContaining('the service does not answer'),
  });
  expect(await runs(['list', '--local'])).toMatchObject({
    code: 8,
    err: expect.stringContaining('no local service runs'),
  });
});

test('130: Ctrl-C leaves the run alone and prints how to continue', async () => {
  const home = await given.workspace();
  const stop = new AbortController();
  const { code, err } = await runs(['create', '--plan', '-', '--watch'], {
    home,
    stdin: plan({ kind: 'fetch' }, slow),
    interrupted: stop.signal,
    onTalk: (text) => text.includes('step 1 of 2 completed') && stop.abort(),
  });
  expect({ code, err }).toEqual({
    code: 130,
    err: expect.stringMatching(/interrupted; the run continues, follow it with: runs watch /),
  });
  const id = err.trim().split(' ').at(-1) ?? '';
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
});
