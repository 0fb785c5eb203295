// rules.md: json 5. Names that JavaScript gives a meaning are names of fields like any other, at any depth of a record.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#contract/json.ts';
import { canonicalJson } from '#platform/crypto.ts';
import { RunService } from '../../clients/sdk/index.ts';
import * as given from '../support/given.ts';
import { fetchedBy } from '../support/outcomes.ts';
import { admin, call, sharedService } from '../support/service.ts';
import { push, type SyncBridge, send } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';
import { answer, createsPlanRun, rerunsFrom } from '../support/when.ts';
import { customer } from './webhook-receiver.ts';

const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'B', 'city'];
/** With `name`, an object is one whose constructor has that name. */
const name = fc.constantFrom(...NAMES, 'name');
const leaf = fc.oneof(
  fc.constantFrom('Set', 'Map', 'Number', 'String', 'Boolean', 'Uint8Array', ''),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
/** As JSON.parse does, it makes every name an own one. */
const objectOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc
    .uniqueArray(fc.tuple(key, value), { selector: ([one]) => one, maxLength: 4 })
    .map((members) => Object.fromEntries(members));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree'), { maxLength: 3 }), objectOf(name, tie('tree'))),
}));
const fieldsOf = objectOf(fc.constantFrom(...NAMES), tree) as fc.Arbitrary<JsonObject>;
const hostile = (value: unknown): JsonObject =>
  JSON.parse(`{"__proto__":${JSON.stringify(value)},"deep":{"constructor":{"name":"Set"}}}`);

/** The fields of each row that are not null, by the name in its first cell; a table has all columns in each row. */
function shownBy(rows: Record<string, unknown>[]): Map<string, string> {
  return new Map(
    rows.map(({ name: cell, ...cells }) => [
      String(cell).replace(/^\[(.*)\]\(.*\)$/, '$1'),
      canonicalJson(present(cells)),
    ]),
  );
}
const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

let home: given.Home;
let bridge: SyncBridge;
beforeAll(async () => {
  home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  const field_map = Object.fromEntries(NAMES.map((one) => [one, one]));
  const resources = [
    { type: 'thing', kind: 'entity' as const, entity_type: 'thing', name_field: 'label', field_map },
  ];
  const { workspace_id } = home;
  bridge = await admin({
    command: 'bridge.create',
    bridge: { name: 'crm', workspaces: [{ workspace_id, resources }] },
  });
});

async function tableOf(id: string): Promise<Map<string, string>> {
  const run = await then.ended(home, id);
  expect(run).toMatchObject({ status: 'succeeded' });
  return shownBy((await call('GET', `/artifacts/${run.artifacts[0].id}`, { key: home.key })).body.rows);
}

test('what is imported and synced comes back equal, in a run and in one from its checkpoints', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fieldsOf, { minLength: 6, maxLength: 12 }), async (all) => {
      made += 1;
      const records = all.map((fields, i) => ({ type: 'thing', name: `n${made}x${i}`, fields }));
      const synced = records.filter((_, i) => i % 3 === 0);
      await given.entities(
        home.workspace_id,
        records.filter((one) => !synced.includes(one)),
      );
      for (const { name: label, fields } of synced)
        expect(await send(bridge, push('thing', label, { ...fields, label }))).toMatchObject({ status: 200 });
      const { id } = (
        await createsPlanRun(home, [{ kind: 'fetch', params: { source: 'things', limit: 1000 } }, answer])
      ).body;
      const first = await tableOf(id);
      const again = await tableOf((await rerunsFrom(home, id, 1)).body.id);
      for (const { name: label, fields } of records) {
        expect(first.get(label)).toBe(canonicalJson(present(fields)));
        expect(again.get(label)).toBe(first.get(label));
      }
    }),
    { numRuns: 8 },
  );
});

test('a record that is pulled comes back equal', async () => {
  const fields = hostile([1]);
  const attributes = { ...fields, label: 'Pulled' };
  const server = await customer((response) =>
    response.end(JSON.stringify({ type: 'thing', id: 'pulled', attributes })),
  );
  const message = { resource: { type: 'thing', id: 'pulled' }, operation: 'update', fetch_url: server.url };
  expect(await send(bridge, message)).toMatchObject({ status: 200 });
  const found = await fetchedBy(home, {
    source: 'things',
    where: { field: '__proto__', op: 'exists', value: true },
  });
  expect(
    found.rows.map((row) => Object.entries(row).find(([key]) => key === '__proto__')?.[1]),
  ).toContainEqual([1]);
});

test('such a field can be selected, searched, sorted, grouped and measured', async () => {
  const own = await given.workspace();
  const records = [3, 1, 2].map((n) => ({ type: 'thing', name: `n${n}`, fields: hostile(n) }));
  await given.entities(own.workspace_id, records);
  const field = '__proto__';
  const sorted = await fetchedBy(own, {
    source: 'things',
    where: { field, op: '>', value: 1 },
    sort: [{ field }],
  });
  expect(sorted.names).toEqual(['n2', 'n3']);
  const nested = { field: 'deep.constructor.name', op: '=', value: 'Set' };
  expect((await fetchedBy(own, { source: 'things', where: nested })).names).toHaveLength(3);
  expect((await fetchedBy(own, { source: 'things', query: 'Set' })).names).toHaveLength(3);
  const groups = await fetchedBy(own, {
    source: 'things',
    group_by: [field],
    measures: [{ as: 'constructor', op: 'sum', field }],
  });
  expect(groups.rows.map((row) => canonicalJson(row)).toSorted()).toEqual(
    [1, 2, 3].map((n) => canonicalJson(JSON.parse(`{"name":"${n}","__proto__":${n},"constructor":${n}}`))),
  );
});

test('the metadata of a relationship comes back equal', async () => {
  const own = await given.workspace();
  const [from, to] = await given.entities(own.workspace_id, [
    { type: 'thing', name: 'One' },
    { type: 'thing', name: 'Two' },
  ]);
  const line = {
    from: { id: String(from?.id) },
    to: { id: String(to?.id) },
    type: 'knows',
    metadata: hostile('x'),
  };
  await admin({ command: 'relationship.import', workspace_id: own.workspace_id, relationships: [line] });
  const [row] = (await fetchedBy(own, { source: 'relationships' })).rows;
  expect(canonicalJson(row)).toContain('"__proto__":"x","deep":{"constructor":{"name":"Set"}}');
});

test('a card, and the CSV of a table, have such fields', async () => {
  const own = await given.workspace();
  await given.entities(own.workspace_id, [{ type: 'thing', name: 'One', fields: hostile('x') }]);
  const steps = [
    { kind: 'fetch', params: { source: 'things' } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table', 'entity_card'] } },
  ];
  const { artifacts } = await then.ended(own, (await createsPlanRun(own, steps)).body.id);
  const idOf = (kind: string) => artifacts.find((one: { kind: string }) => one.kind === kind).id;
  const { body } = await call('GET', `/artifacts/${idOf('entity_card')}`, { key: own.key });
  expect(body.content.attributes).toMatchObject([{ key: '__proto__', value: 'x' }, { key: 'deep' }]);
  const service = new RunService({ apiKey: own.key, baseUrl: sharedService().base_url });
  const [head, line] = (await service.artifacts.csv(idOf('table'))).split('\r\n');
  expect(head).toBe('name,__proto__,deep,_record');
  expect(line).toMatch(/^One,x,"\{""constructor"":\{""name"":""Set""\}\}",[0-9a-f-]{36}$/);
});
