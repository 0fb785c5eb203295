// The commands that the other files do not need: trial, dossier, rerun, list filters, records, whoami.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import * as when from '../support/when.ts';
import { runs } from './terminal.ts';

const plan = (...steps: Record<string, unknown>[]) => JSON.stringify(when.plan(...steps));

test('a dry run prints what the run may cost and creates nothing', async () => {
  const home = await given.workspace({ credits: 100 });
  const done = await runs(['create', '--plan', '-', '--dry-run'], {
    home,
    stdin: plan({ kind: 'fetch' }, when.keepBerlin),
  });
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('valid, at most 12 credits\n') });
  expect(JSON.parse((await runs(['list', '--json'], { home })).out)).toEqual({
    object: 'list',
    data: [],
    has_more: false,
  });
  expect((await runs(['whoami'], { home })).out).toMatch(/^credits +100 left, 0 reserved$/m);
});

test('a dossier by reference, with sections, metadata and config; the list finds it by them', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const flags = [
    '--section',
    'History',
    '--section',
    'Risks',
    '--metadata',
    'team=north',
    '--config',
    'strict-mode=false',
  ];
  const done = await runs(['create', '--dossier', 'crm:acme', ...flags, '--wait', '--json'], { home });
  expect(done.code).toBe(0);
  const run = JSON.parse(done.out);
  expect(run).toMatchObject({
    metadata: { team: 'north' },
    config: { strict_mode: false },
    input: { params: { sections: ['History', 'Risks'] } },
  });
  const found = async (...filters: string[]) =>
    JSON.parse((await runs(['list', '--json', ...filters], { home })).out).data.map(
      ({ id }: { id: string }) => id,
    );
  expect(
    await found(
      '--metadata',
      'team=north',
      '--type',
      'preset',
      '--status',
      'running,succeeded',
      '--since',
      '1h',
    ),
  ).toEqual([run.id]);
  expect(await found('--metadata', 'team=south')).toEqual([]);
  expect(await found('--since', '2100-01-01')).toEqual([]);
  expect((await runs(['artifact', run.artifacts[1].id, '--md'], { home })).out).toMatch(/^# Acme/);
});

test('a rerun is a new run from a step, and can be followed', async () => {
  const home = await given.workspace();
  const first = await runs(['create', '--plan', '-', '--wait', '--json'], {
    home,
    stdin: plan({ kind: 'fetch' }, { kind: 'fetch' }),
  });
  const { id } = JSON.parse(first.out);
  const again = await runs(['rerun', id, '--step', '1', '--watch', '--json'], { home });
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('step 1 of 2 skipped: Step 0') });
  expect(JSON.parse(again.out).rerun_of).toEqual({ run_id: id, step_index: 1 });
  expect(await runs(['rerun', id, '--step', '7'], { home })).toMatchObject({
    code: 6,
    err: expect.stringContaining('invalid_rerun_step'),
  });
});

test('the same idempotency key gives the same run, with a note', async () => {
  const home = await given.workspace();
  const create = () =>
    runs(['create', '--plan', '-', '--idempotency-key', 'k1'], { home, stdin: plan({ kind: 'fetch' }) });
  const first = await create();
  expect(await create()).toMatchObject({
    code: 0,
    out: first.out,
    err: expect.stringContaining('created with the same idempotency key'),
  });
});

test('records by the words of their names, and by reference', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  expect((await runs(['entity', 'search', 'bor', '--type', 'company'], { home })).out).toContain('Borealis');
  const { code, out } = await runs(['entity', 'resolve', 'crm:acme', 'custom=A1', '--json'], { home });
  expect(code).toBe(0);
  expect(JSON.parse(out).results).toMatchObject([{ entity_name: 'Acme' }, { entity_name: 'Acme' }]);
});

test('a run that has reached its cost limit continues with a higher one', async () => {
  const home = await given.workspace();
  const steps = plan({ kind: 'analyze', instructions: 'One' }, { kind: 'analyze', instructions: 'Two' });
  const stopped = await runs(
    ['create', '--plan', '-', '--config', 'max-cost-usd=0.000001', '--wait', '--json'],
    { home, stdin: steps },
  );
  expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining('cost_threshold_exceeded') });
  const { id } = JSON.parse(stopped.out);
  expect(await runs(['resume', id, '--max-cost-usd', '2', '--wait'], { home })).toMatchObject({ code: 0 });
});

test('a run that has reached its deadline continues with a later one; ended runs are deleted', async () => {
  const home = await given.workspace();
  const late = plan({ kind: 'analyze', instructions: '[[delay:1200]]' }, { kind: 'fetch' });
  const stopped = await runs(['create', '--plan', '-', '--config', 'timeout-seconds=1', '--wait', '--json'], {
    home,
    stdin: late,
  });
  expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining('run_timed_out') });
  const { id } = JSON.parse(stopped.out);
  const limits = ['--timeout-seconds', '60', '--start-within-seconds', '60', '--model-wait-seconds', '0'];
  const resumed = ['resume', id, ...limits, '--wait'];
  expect(await runs(resumed, { home })).toMatchObject({ code: 0 });
  const other = await runs(['create', '--plan', '-', '--wait', '--json'], {
    home,
    stdin: plan({ kind: 'fetch' }),
  });
  const ids = [id, JSON.parse(other.out).id];
  expect(await runs(['delete', ...ids], { home })).toMatchObject({ code: 0, out: `${ids.join('\n')}\n` });
  expect(await runs(['delete', id, '--json'], { home })).toMatchObject({
    code: 5,
    err: expect.stringContaining('run_not_found'),
  });
});
