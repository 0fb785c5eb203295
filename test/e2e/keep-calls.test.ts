// rules.md: calls. What a run asked its model, for those who may read its artifacts.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const KEEP = { config: { keep_calls: true } };
const analyze = (instructions: string) => ({ kind: 'analyze', instructions });
const callsOf = async (id: string, query = '', key = home.key) =>
  call('GET', `/runs/${id}/calls${query}`, { key });

async function ended(steps: Record<string, unknown>[], extra: Record<string, unknown> = KEEP) {
  const { body } = await when.createsPlanRun(home, steps, extra);
  return then.ended(home, body.id);
}

test('rule 1: each request has its step, prompt, answer, usage and outcome', async () => {
  const run = await ended([when.fetchCompanies, when.keepBerlin, analyze('Which stands out?')]);
  const { status, body } = await callsOf(run.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
  expect(
    body.data.map(({ step_index, task }: { step_index: number; task: string }) => [step_index, task]),
  ).toEqual([
    [1, 'filter'],
    [2, 'analyze'],
  ]);
  const [filtered, analyzed] = body.data;
  expect(filtered).toMatchObject({ attempt: 1, call: 0, model: 'offline', outcome: 'answered' });
  expect(filtered.messages[0].role).toBe('system');
  expect(JSON.stringify(filtered.messages)).toContain('Acme');
  expect(JSON.parse(filtered.answer).verdicts.length).toBeGreaterThan(0);
  expect(JSON.stringify(analyzed.messages)).toContain('Which stands out?');
  const sum = (name: string) =>
    body.data.reduce(
      (total: number, { usage }: { usage: Record<string, number> }) => total + (usage[name] ?? 0),
      0,
    );
  for (const name of ['input_tokens', 'cached_input_tokens', 'output_tokens', 'thinking_tokens'])
    expect(sum(name)).toBe(run.usage[name]);
});

test('rule 1: the understanding and the planning of a query come first, at step -1', async () => {
  const body = { input_type: 'query', query: 'Which companies are in Berlin?', ...KEEP };
  const { body: created } = await call('POST', '/runs', { key: home.key, body });
  await then.ended(home, created.id);
  const { data } = (await callsOf(created.id)).body;
  expect(data.slice(0, 2)).toMatchObject([
    { step_index: -1, task: 'understand', attempt: 1 },
    { step_index: -1, task: 'plan' },
  ]);
});

test('rule 1: requests that fail are kept, and so are those of a resume', async () => {
  const run = await ended([analyze('Say it [[transient:1]] [[fail-once]]')]);
  expect(run.status).toBe('failed');
  expect((await call('POST', `/runs/${run.id}/resume`, { key: home.key })).status).toBe(202);
  await then.ended(home, run.id);
  const { data } = (await callsOf(run.id)).body;
  const failures = data.filter(({ outcome }: { outcome: string }) => outcome !== 'answered');
  expect(failures.length).toBeGreaterThan(0);
  expect(failures[0]).toMatchObject({ attempt: 1, answer: null, usage: null });
  expect(data.at(-1)).toMatchObject({ attempt: 2, outcome: 'answered' });
});

test('rule 1: every item of a transform has its own call, and a page leads to the next', async () => {
  const run = await ended([when.fetchCompanies, { kind: 'transform', instructions: 'Name the city' }]);
  const whole = (await callsOf(run.id)).body.data;
  expect(new Set(whole.map((one: { call: number }) => one.call)).size).toBe(whole.length);
  const pages = [];
  for (let query = '?limit=1'; query !== ''; ) {
    const { body } = await callsOf(run.id, query);
    expect(body.data).toHaveLength(1);
    pages.push(...body.data);
    query = body.has_more ? `?limit=1&cursor=${body.next_cursor}` : '';
  }
  expect(pages).toEqual(whole);
});

test('rule 2: without `keep_calls` nothing is kept', async () => {
  const run = await ended([analyze('Which stands out?')], {});
  expect((await callsOf(run.id)).body).toEqual({
    object: 'list',
    data: [],
    next_cursor: null,
    has_more: false,
  });
});

test('rule 2: prompts need `artifacts:read`, are of one workspace, and go with their run', async () => {
  const run = await ended([analyze('Which stands out?')]);
  const { key: reader } = await given.key(home.workspace_id, ['runs:read']);
  const refused = await callsOf(run.id, '', reader);
  expectRefusal(refused, 403, 'forbidden_feature');
  expect(refused.body.error.details.required_scope).toBe('artifacts:read');
  expectRefusal(await callsOf(run.id, '', (await given.workspace()).key), 404, 'run_not_found');
  expectRefusal(await callsOf(run.id, '?cursor=abc'), 422, 'schema_validation_failed', { param: 'cursor' });
  expectRefusal(await callsOf(run.id, '?limit=0'), 422, 'schema_validation_failed', { param: 'limit' });
  expectRefusal(await callsOf(run.id, '?step_index=-2'), 422, 'schema_validation_failed', {
    param: 'step_index',
  });
  expect((await call('DELETE', `/runs/${run.id}`, { key: home.key })).status).toBe(204);
  expectRefusal(await callsOf(run.id), 404, 'run_not_found');
});
