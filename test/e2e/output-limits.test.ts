// The bounds of answers as data, and runs that are interrupted while they write one (rules.md: output 5, output 7).
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const RECORDS = 1100;
let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  const fields = { text: 'ä'.repeat(200), tags: Array.from({ length: 30 }, (_, i) => i) };
  await given.entities(
    home.workspace_id,
    Array.from({ length: RECORDS }, (_, i) => ({ type: 'page', name: `P${i}`, fields })),
  );
});

const pages = { kind: 'fetch', params: { source: 'pages', limit: 10_000 } };
const schemaOf = (properties: object, bounds: object = {}) => ({
  type: 'object',
  properties: {
    count: { type: 'integer' },
    rows: {
      type: 'array',
      items: { type: 'object', properties, required: Object.keys(properties) },
      ...bounds,
    },
  },
  required: ['count', 'rows'],
});
const answer = { kind: 'reconstitute', params: { expected_artifacts: ['NONE'] } };
async function runs(output_schema: object) {
  const { body } = await when.createsPlanRun(home, [pages, answer], { output_schema });
  return then.ended(home, body.id);
}
/** What the warnings say of the output; the model's own part of the items aside. */
const cuts = (run: { warnings: { code: string; details: object }[] }) =>
  run.warnings.filter(({ details }) => 'path' in details).map(({ code, details }) => ({ code, ...details }));

test('an array has at most 1,000 elements; the count is of all', async () => {
  const run = await runs(schemaOf({ name: { type: 'string' } }));
  expect([run.output.data.rows.length, run.output.data.count]).toEqual([1000, RECORDS]);
  expect(cuts(run)).toEqual([{ code: 'results_truncated', path: '/rows', matched: RECORDS, returned: 1000 }]);
  const asked = await runs(schemaOf({ name: { type: 'string' } }, { maxItems: 3 }));
  expect([asked.output.data.rows.length, cuts(asked)]).toEqual([3, []]);
});

test('data take at most 256 KB: elements are left out from the end', async () => {
  const run = await runs(
    schemaOf({ text: { type: 'string' }, tags: { type: 'array', items: { type: 'integer' } } }),
  );
  const { data, basis } = run.output;
  const bytes = Buffer.byteLength(JSON.stringify(data));
  expect(bytes).toBeLessThanOrEqual(256 * 1024);
  expect(bytes + Buffer.byteLength(JSON.stringify(data.rows[0]))).toBeGreaterThan(256 * 1024 - 1);
  expect(basis).toHaveLength(1 + data.rows.length * 31);
  expect(cuts(run)).toEqual([
    { code: 'results_truncated', path: '/rows', matched: RECORDS, returned: data.rows.length },
  ]);
});

test('a run that fails while it writes has no output until it is resumed', async () => {
  const steps = [pages, { ...answer, instructions: '[[fail-once]]' }];
  const output_schema = { type: 'object', properties: { total: { type: 'integer' } } };
  const { body } = await when.createsPlanRun(home, steps, { output_schema });
  expect(await then.ended(home, body.id)).toMatchObject({ status: 'failed', output: null });
  expect((await when.resumes(home, body.id)).body.output).toBeNull();
  expect(await then.ended(home, body.id)).toMatchObject({
    status: 'succeeded',
    output: { data: { total: RECORDS } },
  });
});

test('a canceled run keeps the output of a step that was done', async () => {
  const steps = [pages, answer, { kind: 'analyze', instructions: '[[delay:60000]]' }];
  const output_schema = { type: 'object', properties: { total: { type: 'integer' } } };
  const { body } = await when.createsPlanRun(home, steps, { output_schema });
  const read = () => when.readsRun(home, body.id);
  await until('the output', async () => (await read()).output ?? undefined);
  const canceled = await call('POST', `/runs/${body.id}/cancel`, { key: home.key });
  expect(canceled.body).toMatchObject({ status: 'canceled', output: { data: { total: RECORDS } } });
});
