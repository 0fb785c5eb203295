// What a person sees of the data, of a plan and of refusals.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../clients/cli/package.json' with { type: 'json' };
import * as given from '../support/given.ts';
import { setUp } from '../support/live-source.ts';
import { admin } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { folder, runs } from './terminal.ts';

const home = await given.workspace();
const [acme, , , dana] = await given.companies(home.workspace_id);
await admin({
  command: 'relationship.import',
  workspace_id: home.workspace_id,
  relationships: [{ from: { id: dana?.id }, to: { id: acme?.id }, type: 'works_at', metadata: {} }],
});

test('entity types lists the types with their fields', async () => {
  const { out } = await runs(['entity', 'types'], { home });
  const lines = out.split('\n');
  expect(lines[0]).toBe('company, 3 records');
  expect(lines.find((line) => line.includes('revenue_musd'))).toMatch(
    /^ {2}revenue_musd +number +3 +3 to 80 +12\.5, 80, 3$/,
  );
  expect(out).toContain('\n\nperson, 1 record\n');
});

test('source list shows the live sources with the fields that they describe', async () => {
  expect(await runs(['source', 'list'], { home })).toMatchObject({ code: 0, out: '', err: 'no sources\n' });
  const source = { name: 'crm', kind: 'http' as const, url: 'http://127.0.0.1:9/', description: 'Deals' };
  await setUp(home, { ...source, fields: [{ name: 'amount', kind: 'number' }] });
  expect((await runs(['source', 'list'], { home })).out).toMatch(/^crm +http +amount +Deals\n$/);
});

test('usage shows what runs came to, by the groups that are asked for', async () => {
  const { body } = await when.createsPlanRun(home, [when.answer]);
  await then.ended(home, body.id);
  const { code, out } = await runs(['usage', '--by', 'day,status'], { home });
  expect(code).toBe(0);
  const [heads, first] = out.split('\n');
  expect(heads).toMatch(/^DAY +STATUS +RUNS +USD +INPUT +OUTPUT +P50 +P95$/);
  expect(first).toMatch(/^\d{4}-\d\d-\d\d +succeeded +\d+ /);
  const none = await runs(['usage', '--from', '2025-01-01', '--to', '2025-01-02'], { home });
  expect(none).toMatchObject({ code: 0, out: '', err: 'no runs\n' });
  expect(await runs(['usage', '--by', 'colour'], { home })).toMatchObject({ code: 2 });
});

test('entity get shows a record, its fields and where its relationships lead', async () => {
  const { out } = await runs(['entity', 'get', String(acme?.id)], { home });
  expect(out).toMatch(/^id +\S{36}$/m);
  expect(out).toMatch(/^city +Berlin$/m);
  expect(out).toMatch(/^works_at +from +Dana Ito +person +\S{36}$/m);
  expect(await runs(['entity', 'get', 'no-id'], { home })).toMatchObject({ code: 5 });
});

test('get --plan prints the plan alone, which create takes', async () => {
  const { body } = await when.createsQueryRun(home, 'Companies in Berlin');
  await then.ended(home, body.id);
  const got = await runs(['get', body.id, '--plan'], { home });
  expect(got.err).toMatch(/^understood as: company where city is "Berlin"/);
  writeFileSync(join(folder, 'got.json'), got.out);
  const checked = await runs(['create', '--plan', 'got.json', '--dry-run'], { home });
  expect(checked).toMatchObject({ code: 0, out: expect.stringMatching(/^step 1 /) });
  const json = await runs(['get', body.id, '--plan', '--json'], { home });
  expect(JSON.parse(json.out)).toEqual(JSON.parse(got.out));
  expect(json.err).toBe('');
});

test('create --output-schema asks for data, and get --output prints them alone; without there is none', async () => {
  const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
  const asks = ['create', '-q', 'How many companies are there?', '--wait', '--json'];
  const { id, output } = JSON.parse((await runs([...asks, '--output-schema', 'schema.json'], { home })).out);
  expect(output.data).toEqual({ count: 3 });
  expect(await runs(['get', id, '--output'], { home })).toMatchObject({
    code: 0,
    out: '{\n  "count": 3\n}\n',
  });
  const plain = JSON.parse((await runs(asks, { home })).out);
  expect(await runs(['get', plain.id, '--output'], { home })).toMatchObject({ code: 5, out: '' });
  for (const args of [
    ['create', '--dossier', 'crm:acme', '--output-schema', 'schema.json'],
    ['create', '--body', '-', '--output-schema', 'schema.json'],
    ['get', id, '--output', '--plan'],
  ])
    expect(await runs(args, { home })).toMatchObject({ code: 2 });
});

test('a person reads names without links, steps from 1, and that a cost is simulated', async () => {
  const done = await runs(['create', '-q', 'Companies in Berlin', '--watch'], { home });
  expect(done.out).toContain('- Acme: ');
  expect(done.out).not.toContain('entity=');
  expect(done.err).toMatch(/understood as: company where/);
  expect(done.err).toMatch(/USD simulated/);
  const id = /^run (\S{36}):/.exec(done.err)?.[1] ?? '';
  const { out } = await runs(['get', id], { home });
  expect(out).toMatch(/^step 1 +completed/m);
  expect(out).not.toMatch(/^step 0 /m);
  expect((await runs(['whoami'], { home })).out).toMatch(/^model +offline \(a rehearsal/m);
});

test('each fault of a request is a line that names its path', async () => {
  const plan = { title: 'x', steps: [{ kind: 'fetch', title: 'x', params: { wher: {}, limit: 0 } }] };
  const { err, code } = await runs(['create', '--plan', '-'], { home, stdin: JSON.stringify(plan) });
  expect(code).toBe(6);
  expect(err).toContain('plan.steps.0.params.wher: Unknown field "wher"');
  expect(err).toContain('plan.steps.0.params.limit: ');
  expect(err.trimEnd().split('\n')).toHaveLength(2);
});

test('on a terminal a list fits the screen, and a pipe gets whole titles', async () => {
  const query = `Companies in Berlin ${'and so on '.repeat(10)}`.trim();
  await when.createsQueryRun(home, query);
  const lines = async (given: object) =>
    (await runs(['list', '--type', 'query', '--limit', '1'], { home, ...given })).out.trimEnd().split('\n');
  for (const line of await lines({ tty: true })) expect(line.length).toBeLessThan(80);
  expect((await lines({})).at(-1)).toContain(query.slice(0, 100));
});

test('--version', async () => {
  expect(await runs(['--version'], {})).toMatchObject({ code: 0, out: `${manifest.version}\n` });
});
