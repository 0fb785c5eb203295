// What was written before a question is in its answer, through the API (rules.md: records).
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { fetchedBy } from '../support/outcomes.ts';
import { admin } from '../support/service.ts';
import { bridgeFor, push, send } from '../support/sync-sender.ts';

const names = async (by: given.Home, where: object) =>
  (await fetchedBy(by, { source: 'entities', where, sort: 'name_asc' })).names;

test('an import is in the next answer, again and again', async () => {
  const own = await given.workspace();
  for (let i = 1; i <= 5; i += 1) {
    await given.entities(own.workspace_id, [{ type: 'thing', name: `T${i}`, fields: { i } }]);
    expect(await names(own, { field: 'i', op: '=', value: i })).toEqual([`T${i}`]);
    expect(
      (await fetchedBy(own, { source: 'things', measures: [{ as: 'n', op: 'count' }] })).rows,
    ).toMatchObject([{ n: i }]);
  }
});

test('an import that changes a record replaces what it was found by', async () => {
  const own = await given.workspace();
  const [thing] = await given.entities(own.workspace_id, [
    { type: 'thing', name: 'Old', fields: { v: 1, gone: 1 } },
  ]);
  await given.entities(own.workspace_id, [
    { id: thing?.id ?? '', type: 'thing', name: 'New', fields: { v: 2 } },
  ]);
  expect(await names(own, { field: 'v', op: '=', value: 1 })).toEqual([]);
  expect(await names(own, { field: 'v', op: '=', value: 2 })).toEqual(['New']);
  expect((await fetchedBy(own, { source: 'things', query: 'old' })).names).toEqual([]);
});

test('a synced update and a synced delete are, too', async () => {
  const own = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  const bridge = await bridgeFor(own.workspace_id);
  const city = (value: string) => ({ field: 'city', op: '=', value });
  await send(bridge, push('company', 'c', { name: 'Acme', hq: 'Bonn' }));
  expect(await names(own, city('Bonn'))).toEqual(['Acme']);
  await send(bridge, push('company', 'c', { hq: 'Kiel' }, { operation: 'update' }));
  expect([await names(own, city('Bonn')), await names(own, city('Kiel'))]).toEqual([[], ['Acme']]);
  await send(bridge, { resource: { type: 'company', id: 'c' }, operation: 'delete' });
  expect(await names(own, city('Kiel'))).toEqual([]);
  expect((await fetchedBy(own, { source: 'entities' })).rows).toEqual([]);
});

test('relationships are found with both ends by words and counted exactly', async () => {
  const own = await given.workspace();
  const people = await given.entities(
    own.workspace_id,
    Array.from({ length: 12 }, (_, i) => ({ type: 'person', name: `Person ${i}` })),
  );
  const [first, ...others] = people.map(({ id }) => ({ id }));
  await admin({
    command: 'relationship.import',
    workspace_id: own.workspace_id,
    relationships: others.map((to) => ({ from: first ?? { id: '' }, to, type: 'knows' })),
  });
  const found = await fetchedBy(own, { source: 'relationships', query: 'knows', limit: 3 });
  expect(found.rows).toHaveLength(3);
  expect(found.truncated).toEqual({ matched: 11, returned: 3 });
  const one = await fetchedBy(own, { source: 'relationships', query: 'person 7' });
  expect(one.names[0]).toBe('Person 0 knows Person 7');
});
