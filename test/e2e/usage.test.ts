// rules.md: usage 12. What the runs of a workspace came to, by day and by other groups.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { monitor } from '../support/monitors.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

interface Row {
  runs: number;
  cost_usd: number;
  input_tokens: number;
  output_tokens: number;
  p50_ms: number | null;
  p95_ms: number | null;
  [group: string]: unknown;
}

const asks = (home: given.Caller, query = '') => call('GET', `/usage${query}`, { key: home.key });
async function usage(home: given.Caller, by?: string): Promise<Row[]> {
  const { status, body } = await asks(home, by === undefined ? '' : `?by=${by}`);
  expect(status).toBe(200);
  return body.data;
}
const today = () => new Date().toISOString().slice(0, 10);
const failing = [{ kind: 'analyze', instructions: '[[fail-once]]' }];
const made = async (home: given.Home, steps: Record<string, unknown>[]) => {
  const { body } = await when.createsPlanRun(home, steps);
  return then.ended(home, body.id);
};

/** What the rows come to together. */
const sumOf = (rows: Row[]) => ({
  runs: rows.reduce((sum, { runs }) => sum + runs, 0),
  pico: rows.reduce((sum, { cost_usd }) => sum + Math.round(cost_usd * 1e12), 0),
  input: rows.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
  output: rows.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
});
const sumOfRuns = (runs: { usage: { cost_usd: number; input_tokens: number; output_tokens: number } }[]) => ({
  runs: runs.length,
  pico: runs.reduce((sum, { usage }) => sum + Math.round(usage.cost_usd * 1e12), 0),
  input: runs.reduce((sum, { usage }) => sum + usage.input_tokens, 0),
  output: runs.reduce((sum, { usage }) => sum + usage.output_tokens, 0),
});

test('rule 12: whatever runs are grouped by, the sums are those of all runs', async () => {
  const home = await given.workspace();
  const runs = [
    await made(home, [when.answer]),
    await made(home, failing),
    await made(home, [{ kind: 'fetch', params: { source: 'nothing' } }]),
  ];
  for (const by of ['day', 'key', 'status', 'input_type', 'monitor', 'model', 'day,status', 'model,key'])
    expect(sumOf(await usage(home, by)), by).toEqual(sumOfRuns(runs));
  const [row, ...more] = await usage(home);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ day: today(), runs: 3 });
  const durations = runs.map((run) => Number(run.completed_at) - run.created_at).toSorted((a, b) => a - b);
  expect([row?.p50_ms, row?.p95_ms]).toEqual([durations[1], durations[2]]);
});

test('rule 12: a group has its name under the field of its kind; null where a run has none', async () => {
  const home = await given.workspace();
  await made(home, [when.answer]);
  await made(home, [{ kind: 'fetch', params: { source: 'nothing' } }]);
  expect(await usage(home, 'key,monitor')).toMatchObject([
    { key_id: home.key_id, monitor_id: null, runs: 2 },
  ]);
  const models = await usage(home, 'model');
  expect(new Set(models.map(({ model }) => model))).toEqual(new Set(['offline', null]));
  expect(await usage(home, 'input_type')).toMatchObject([{ input_type: 'plan', runs: 2 }]);
});

test('rule 12: runs that a monitor has made count under it', async () => {
  const home = await given.workspace();
  const { id } = await monitor(home, {});
  const fire = await call('POST', `/monitors/${id}/fire`, { key: home.key });
  await then.ended(home, fire.body.run_id);
  expect(await usage(home, 'monitor')).toMatchObject([{ monitor_id: id, runs: 1 }]);
});

test('rule 12: a run in flight counts, with the status that it has', async () => {
  const home = await given.workspace();
  const { body } = await when.createsPlanRun(home, [{ kind: 'analyze', instructions: '[[delay:20000]]' }]);
  const [row] = await usage(home, 'status');
  expect(['pending', 'running']).toContain(row?.status);
  expect(row).toMatchObject({ runs: 1, p50_ms: null, p95_ms: null });
  await call('POST', `/runs/${body.id}/cancel`, { key: home.key });
  expect(await usage(home, 'status')).toMatchObject([{ status: 'canceled', runs: 1 }]);
});

test('rule 12: a resume moves a run to its new status, and its cost grows', async () => {
  const home = await given.workspace();
  const { id } = await made(home, failing);
  expect(await usage(home, 'status')).toMatchObject([{ status: 'failed', runs: 1 }]);
  await call('POST', `/runs/${id}/resume`, { key: home.key });
  const run = await then.ended(home, id);
  const rows = await usage(home, 'status');
  expect(rows).toMatchObject([{ status: 'succeeded', runs: 1 }]);
  expect(sumOf(rows)).toEqual(sumOfRuns([run]));
});

test('rule 12: a deleted run stays counted, as it was', async () => {
  const home = await given.workspace();
  const { id } = await made(home, [when.answer]);
  const before = await usage(home, 'day,model');
  expect((await call('DELETE', `/runs/${id}`, { key: home.key })).status).toBe(204);
  expect(await usage(home, 'day,model')).toEqual(before);
});

test('rule 12: only days of the range are listed; other workspaces have their own', async () => {
  const [home, other] = await Promise.all([given.workspace(), given.workspace()]);
  await made(home, [when.answer]);
  expect((await asks(home, '?from=2026-01-01&to=2026-04-02')).body).toEqual({ object: 'list', data: [] });
  expect(await usage(other)).toEqual([]);
});

test.each([
  ['?by=colour', 'by'],
  ['?by=day,day', 'by'],
  ['?by=day,key,status', 'by'],
  ['?from=2026-02-30', 'from'],
  ['?from=yesterday', 'from'],
  ['?from=2026-01-01&to=2026-04-03', 'from'],
  ['?from=2026-01-02&to=2026-01-01', 'from'],
])('rule 12: %s is refused', async (query, param) => {
  const home = await given.workspace();
  expectRefusal(await asks(home, query), 422, 'schema_validation_failed', { param });
});

test('rule 12: the usage needs runs:read', async () => {
  const home = await given.workspace();
  const key = (await given.key(home.workspace_id, ['artifacts:read'])).key;
  expectRefusal(await call('GET', '/usage', { key }), 403, 'forbidden_feature');
});
