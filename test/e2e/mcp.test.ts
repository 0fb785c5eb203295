// The tools for agents, called by the official clients over HTTP (rules.md: agents).
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { waitForRun } from '../../clients/mcp/wait.ts';
import { RunService } from '../../clients/sdk/index.ts';
import type { Scope } from '../../functions/contract/scopes.ts';
import { agent, kinds } from '../support/agents.ts';
import * as given from '../support/given.ts';
import { setUp } from '../support/live-source.ts';
import { sharedService } from '../support/service.ts';
import * as when from '../support/when.ts';

const home = await given.workspace();
await given.companies(home.workspace_id);

const planRun = {
  input_type: 'plan',
  plan: when.plan(when.fetchCompanies, when.keepBerlin, when.answer),
};

test.each(kinds)(
  'a client (%s) creates a run, waits for it step by step and reads its table by rows',
  async (kind) => {
    const client = await agent(home.key, kind);
    const created = await client.ask('run_create', planRun);
    expect(created.structuredContent).toMatchObject({ next: 'Call run_wait with this id.' });
    const told: { progress: number; message?: string | undefined }[] = [];
    const waited = await client.ask(
      'run_wait',
      { id: created.structuredContent.id },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(waited.structuredContent.status).toBe('succeeded');
    expect(told.map(({ progress }) => progress)).toEqual(
      told.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
    expect(told.some(({ message }) => message?.startsWith('step '))).toBe(true);
    const table = waited.structuredContent.artifacts.find(({ kind }: { kind: string }) => kind === 'table');
    expect(waited.content.map(({ uri }: { uri?: string }) => uri)).toContain(`artifact://${table.id}`);
    const first = await client.ask('artifact_get', { id: table.id, limit: 1 });
    expect(first.structuredContent).toMatchObject({ offset: 0, next_offset: 1, row_count: table.row_count });
    const rest = await client.ask('artifact_get', { id: table.id, offset: 1 });
    expect(rest.structuredContent.next_offset).toBeNull();
    expect([...first.structuredContent.rows, ...rest.structuredContent.rows]).toHaveLength(table.row_count);
    await client.close();
  },
);

test('a wait that ends before the run reports it, and another one continues', async () => {
  const client = await agent(home.key);
  const slow = { kind: 'analyze', instructions: '[[delay:4000]] what stands out' };
  const { id } = (await client.ask('run_create', { ...planRun, plan: when.plan(when.fetchCompanies, slow) }))
    .structuredContent;
  const early = await client.ask('run_wait', { id, timeout_s: 1 });
  expect(early.structuredContent).toMatchObject({
    id,
    next: 'The run is still running: call run_wait again.',
  });
  expect((await client.ask('run_wait', { id })).structuredContent.status).toBe('succeeded');
  await client.close();
});

const toolsOf = async (scopes: Scope[]) => {
  const { key } = await given.key(home.workspace_id, scopes);
  const client = await agent(key);
  const tools = await client.tools();
  await client.close();
  return tools;
};

test('a wait opens no stream, so that nothing runs on after it (rules.md: agents 11)', async () => {
  const asked: string[] = [];
  const client = new RunService({
    apiKey: home.key,
    baseUrl: sharedService().base_url,
    fetch: (input, init) => {
      asked.push(new URL(String(input)).pathname.replace(/^.*\/runs\/[^/]*/, ''));
      return fetch(input, init);
    },
  });
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, when.answer]);
  const { signal } = new AbortController();
  const ended = await waitForRun(client, body.id, 45, { signal, request: { notify: async () => {} } });
  expect(ended.structuredContent).toMatchObject({ status: 'succeeded' });
  expect([...new Set(asked)].toSorted()).toEqual(['', '/events']);
});

test('an agent has the tools that the scopes of its key allow', async () => {
  expect(await toolsOf(['runs:read'])).toEqual([
    'data_describe',
    'entity_get',
    'entity_search',
    'job_list',
    'monitor_fires',
    'monitor_list',
    'run_get',
    'run_list',
    'run_wait',
  ]);
  expect(await toolsOf(['runs:create'])).toEqual([
    'job_complete',
    'plan_check',
    'run_create',
    'run_rerun',
    'run_resume',
  ]);
  expect(await toolsOf(['runs:cancel', 'artifacts:read'])).toEqual(['artifact_get', 'run_cancel']);
  expect(await toolsOf(['monitors:manage'])).toEqual(['monitor_fire']);
});

test('an agent reads the list of tools in 16 KB, and the whole schema of a request where it needs it (rules.md: agents 12)', async () => {
  const client = await agent(home.key);
  expect((await client.tools()).length).toBe(17);
  expect(await client.listCharacters()).toBeLessThan(16 * 1024);
  const [schema] = await client.read('plan://schema');
  expect(JSON.parse(schema.text).$defs.FetchStep.examples).toMatchObject([{ kind: 'fetch' }]);
  await client.close();
});

test('the kind of a request follows from its field (rules.md: agents 12)', async () => {
  const client = await agent(home.key);
  const { input_type: _, ...plan } = planRun;
  expect((await client.ask('plan_check', plan)).structuredContent).toMatchObject({ valid: true });
  const query = await client.ask('run_create', { query: 'Companies in Berlin' });
  expect(query.structuredContent).toMatchObject({ status: 'pending' });
  const both = await client.ask('plan_check', { ...plan, query: 'Companies in Berlin' });
  expect(both.structuredContent).toMatchObject({ param: 'input_type' });
  await client.close();
});

test('a plan is checked without being run', async () => {
  const client = await agent(home.key);
  const good = await client.ask('plan_check', planRun);
  expect(good.structuredContent).toMatchObject({ valid: true, steps: [{ kind: 'fetch' }, {}, {}] });
  const bad = await client.ask('plan_check', { input_type: 'plan', plan: { title: 'x', steps: [] } });
  expect(bad).toMatchObject({
    isError: true,
    structuredContent: { code: 'schema_validation_failed', param: 'plan.steps' },
  });
  await client.close();
});

test('an agent gets an answer as data', async () => {
  const client = await agent(home.key);
  const output_schema = { type: 'object', properties: { total: { type: 'integer' } } };
  const { id } = (await client.ask('run_create', { ...planRun, output_schema })).structuredContent;
  await client.ask('run_wait', { id });
  const run = await client.ask('run_get', { id });
  expect(run.structuredContent.output.basis).toMatchObject([{ path: '/total', kind: 'count' }]);
  const wrong = { ...planRun, output_schema: { type: 'object', oneOf: [] } };
  expect((await client.ask('plan_check', wrong)).structuredContent.param).toBe('output_schema.oneOf');
  await client.close();
});

test('an error is a result that says what to do', async () => {
  const client = await agent(home.key);
  const missing = await client.ask('run_get', { id: '00000000-0000-4000-8000-00000000dead' });
  expect(missing).toMatchObject({
    isError: true,
    structuredContent: { code: 'run_not_found', advice: expect.stringContaining('run_list') },
  });
  await client.close();
});

test('an agent learns types, fields and a record, and how a query was read', async () => {
  const client = await agent(home.key);
  await setUp(home, { name: 'crm', kind: 'http', url: 'http://127.0.0.1:9/', description: 'Deals' });
  const described = (await client.ask('data_describe', { type: 'company' })).structuredContent;
  expect(described.sources).toMatchObject([{ name: 'crm', kind: 'http', description: 'Deals' }]);
  const { types } = described;
  expect(types).toMatchObject([{ type: 'company', count: 3 }]);
  expect(types[0].fields).toContainEqual(
    expect.objectContaining({ field: 'revenue_musd', kinds: ['number'], min: 3, max: 80 }),
  );
  const [acme] = (await client.ask('entity_search', { query: 'acme' })).structuredContent.entities;
  const record = (await client.ask('entity_get', { id: acme.entity_id })).structuredContent;
  expect(record).toMatchObject({ name: 'Acme', fields: { city: 'Berlin' }, relationships: [] });
  const asked = { input_type: 'query', query: 'How many companies are there per city?' };
  const { id } = (await client.ask('run_create', asked)).structuredContent;
  const waited = (await client.ask('run_wait', { id })).structuredContent;
  const run = (await client.ask('run_get', { id, plan: true })).structuredContent;
  expect(waited).toMatchObject({ understood_as: run.understood_as });
  expect(waited).not.toHaveProperty('plan');
  expect(run.understood_as).toContain('by city');
  expect(
    (await client.ask('plan_check', { input_type: 'plan', plan: run.plan })).structuredContent.valid,
  ).toBe(true);
  await client.close();
});

test('a list has short rows of the runs that are wanted', async () => {
  const client = await agent(home.key);
  const failing = { input_type: 'plan', plan: when.plan({ kind: 'analyze', instructions: '[[fail]]' }) };
  const { id } = (await client.ask('run_create', failing)).structuredContent;
  await client.ask('run_wait', { id });
  const { runs } = (await client.ask('run_list', { status: 'failed', limit: 5 })).structuredContent;
  expect(runs[0]).toEqual({
    ...{ id, status: 'failed', input_type: 'plan', title: 'Test plan', resumable: true, message: null },
    ...{ created_at: expect.any(Number), cost_usd: expect.any(Number), simulated: true },
  });
  await client.close();
});

test.each([
  ['run_list', { state: 'failed' }, 'state'],
  ['run_list', { status: 'done' }, 'status'],
  ['run_get', {}, 'id'],
  ['run_get', { id: '..' }, 'id'],
  ['run_wait', { id: '.' }, 'id'],
  ['run_cancel', { id: '' }, 'id'],
  ['artifact_get', { id: '..' }, 'id'],
  ['entity_get', { id: '.' }, 'id'],
  ['monitor_fire', { id: '..' }, 'id'],
  ['run_wait', { id: 'x', timeout_s: 'long' }, 'timeout_s'],
  ['run_create', { input_type: 'query', query: 'x', verbose: true }, 'verbose'],
  [
    'plan_check',
    { input_type: 'plan', plan: { title: 'x', steps: [{ kind: 'fetch', title: 'y', wher: 1 }] } },
    'plan.steps.0.wher',
  ],
])('%s with %j is refused with the name of the argument', async (name, args, param) => {
  const client = await agent(home.key);
  const refused = await client.ask(name, args);
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { code: 'schema_validation_failed', param },
  });
  await client.close();
});

test('the advice is that of the reason', async () => {
  const client = await agent(home.key);
  const { structuredContent } = await client.ask('run_create', {
    input_type: 'query',
    query: 'companies [[ambiguous]]',
  });
  expect(structuredContent).toMatchObject({ code: 'query_ambiguous', param: 'query' });
  expect(structuredContent.advice).toContain('Say which one you mean.');
  await client.close();
});

test('runs are listed, canceled, rerun from a step, and records found by name', async () => {
  const client = await agent(home.key);
  const { id } = (await client.ask('run_create', planRun)).structuredContent;
  await client.ask('run_wait', { id });
  expect((await client.ask('run_list', { limit: 1 })).structuredContent.runs).toHaveLength(1);
  const again = (await client.ask('run_rerun', { id, step_index: 2 })).structuredContent;
  expect(again.id).not.toBe(id);
  expect((await client.ask('run_cancel', { id: again.id })).structuredContent.id).toBe(again.id);
  const found = (await client.ask('entity_search', { query: 'acm' })).structuredContent.entities;
  expect(found).toMatchObject([{ entity_name: 'Acme' }]);
  const refused = await client.ask('run_resume', { id });
  expect(refused.structuredContent).toMatchObject({ code: 'run_not_resumable' });
  await client.close();
});

test('a run and a table are resources, the table as CSV and as JSON', async () => {
  const client = await agent(home.key);
  const { id } = (await client.ask('run_create', planRun)).structuredContent;
  const { artifacts } = (await client.ask('run_wait', { id })).structuredContent;
  const [run] = await client.read(`run://${id}`);
  expect(JSON.parse(run.text)).toMatchObject({ id, status: 'succeeded' });
  const table = artifacts.find(({ kind }: { kind: string }) => kind === 'table');
  const contents = await client.read(`artifact://${table.id}`);
  expect(contents.map(({ mimeType }) => mimeType)).toEqual(['text/csv', 'application/json']);
  for (const uri of [`artifact://${id}`, 'artifact://..', 'run://.'])
    await expect(client.read(uri)).rejects.toThrow(/not found/i);
  await client.close();
});

test('`runs mcp` serves the tools over standard input and output, and refuses a key at once', async () => {
  const serve = (RUNS_API_KEY: string) =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['clients/cli/runs.ts', 'mcp'],
      env: { RUNS_API_KEY, RUNS_BASE_URL: sharedService().base_url },
      stderr: 'ignore',
    });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(serve(home.key));
  const { structuredContent } = await client.callTool({ name: 'run_list', arguments: { limit: 1 } });
  expect(structuredContent).toMatchObject({ runs: [{ input_type: 'plan' }] });
  await client.close();
  await expect(new Client({ name: 'test', version: '1' }).connect(serve('sk_of_nobody'))).rejects.toThrow();
});
