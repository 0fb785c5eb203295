// rules.md: artifacts 7. The order of the columns of a table, in every format.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  const fields = { zip: '1', area: 2, mayor: 'Ada', address: { street: 'Main' }, budget: 3.25 };
  await given.entities(home.workspace_id, [
    { type: 'town', name: 'Aa', fields },
    { type: 'town', name: 'Bb', fields: { budget: 4, early: true } },
  ]);
});

const answer = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };

async function tableOf(...steps: object[]) {
  const { body } = await createsPlanRun(home, [...steps.map((step) => ({ ...step })), answer]);
  const path = `/artifacts/${(await then.ended(home, body.id)).artifacts[0].id}`;
  const read = async (format: string) =>
    (await call('GET', `${path}?format=${format}`, { key: home.key })).body;
  return {
    json: await read('json'),
    csv: await read('csv'),
    jsonl: await read('jsonl'),
    md: await read('md'),
  };
}

test('rule 7: made, asked for and sorted fields come first, then the others by name', async () => {
  const fetched = {
    kind: 'fetch',
    params: { source: 'towns', sort: [{ field: 'mayor' }, { field: 'address.street', direction: 'desc' }] },
  };
  const made = {
    kind: 'transform',
    instructions: 'Name its problem',
    params: { output_fields: ['problem'] },
  };
  const { json, csv, jsonl, md } = await tableOf(fetched, made);
  const columns = ['name', 'problem', 'mayor', 'address', 'area', 'budget', 'early', 'zip'];
  expect(json.columns).toEqual(columns);
  expect(Object.keys(json.rows[0])).toEqual(columns);
  expect(csv.split('\r\n')[0]).toBe([...columns, '_record'].join(','));
  expect(Object.keys(JSON.parse(jsonl.split('\n')[0]))).toEqual([...columns, '_record']);
  expect(md.split('\n')[0]).toBe(`| ${columns.join(' | ')} |`);
});

test('rule 7: of groups, the grouped fields come before their measures', async () => {
  const measures = [
    { as: 'z', op: 'count' },
    { as: 'a', op: 'avg', field: 'budget' },
  ];
  const params = { source: 'towns', group_by: ['zip', 'early'], measures, sort: [{ field: 'a' }] };
  expect((await tableOf({ kind: 'fetch', params })).json.columns).toEqual(['name', 'zip', 'early', 'z', 'a']);
});
