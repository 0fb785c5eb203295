// Relationships that come by a bridge: ends, metadata, versions, and races with the end of an entity.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as entities from '#store/records/entity-items.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { aroundTable } from '../../support/around-table.ts';
import { bridgedWorkspace, newBridge, push, remove, sync } from '../../support/bridges.ts';
import { allRelationships } from '../../support/records-in-table.ts';
import { useBridges } from './use-bridges.ts';

let workspace: string;
let bridge: string;
useBridges();
beforeEach(async () => {
  ({ workspace, bridge } = await bridgedWorkspace());
});

const person = (id: string) => sync(bridge, push('person', id, { full_name: id }));
const company = (id: string) => sync(bridge, push('company', id, { name: id }));
const employed = (attributes: object, more: object = {}) =>
  sync(bridge, push('employment', 'e', attributes, more));
const idOf = async (uri: string) => (await entities.resolve(workspace, { external_uri: uri }))?.id;
const all = () => allRelationships(workspace);

/** Lets `act` happen right before the first transaction that writes an item with this attribute or condition. */
function rightBefore(mark: string, act: () => Promise<unknown>): void {
  let waiting = true;
  const restore = aroundTable(async ({ input }, carryOut) => {
    const written = JSON.stringify(input);
    if (waiting && written.includes('TransactItems') && written.includes(mark)) {
      waiting = false;
      await act();
    }
    return carryOut();
  });
  onTestFinished(() => {
    restore();
    expect(waiting).toBe(false);
  });
}

test('a relationship links its two ends, and every other attribute is metadata', async () => {
  await Promise.all([person('1'), company('1')]);
  expect(await employed({ person_id: '1', company_id: '1', role: 'CTO', start_date: '2020' })).toBe(1);
  const [relationship] = await all();
  expect(relationship).toMatchObject({
    from_id: await idOf('person:1'),
    to_id: await idOf('company:1'),
    type: 'employment',
    metadata: { role: 'CTO', start_date: '2020' },
  });
  expect(relationship?.metadata).not.toHaveProperty('person_id');
});

test('a foreign key may be a number', async () => {
  await Promise.all([person('1'), company('2')]);
  expect(await employed({ person_id: 1, company_id: 2 })).toBe(1);
});

test.each([
  ['unknown', { person_id: '1', company_id: '9' }],
  ['absent', { person_id: '1' }],
  ['null', { person_id: '1', company_id: null }],
  ['an object', { person_id: '1', company_id: {} }],
  ['enormous', { person_id: '1', company_id: 'x'.repeat(100_000) }],
])('an end that is %s skips the message', async (_, attributes) => {
  await Promise.all([person('1'), company('1')]);
  expect(await employed(attributes)).toBe(0);
  expect(await all()).toEqual([]);
});

test('a skipped message applies when it is sent again after its entities', async () => {
  expect(await employed({ person_id: '1', company_id: '1' }, { version: 3 })).toBe(0);
  await Promise.all([person('1'), company('1')]);
  expect(await employed({ person_id: '1', company_id: '1' }, { version: 3 })).toBe(1);
});

test('an update moves the relationship and keeps what it does not contain', async () => {
  await Promise.all([person('1'), company('1'), company('2')]);
  await employed({ person_id: '1', company_id: '1', role: 'CTO', title: 'Dr' });
  await employed({ company_id: '2', role: 'CEO' });
  expect(await all()).toMatchObject([
    {
      from_id: await idOf('person:1'),
      to_id: await idOf('company:2'),
      metadata: { role: 'CEO', title: 'Dr' },
    },
  ]);
  expect(await relationships.ofEntities(workspace, [(await idOf('company:1')) ?? ''])).toEqual([]);
});

test('a delete removes the relationship and leaves a tombstone with its version', async () => {
  await Promise.all([person('1'), company('1')]);
  await employed({ person_id: '1', company_id: '1' }, { version: 1 });
  expect(await sync(bridge, remove('employment', 'e', { version: 3 }))).toBe(1);
  expect(await all()).toEqual([]);
  expect(await employed({ person_id: '1', company_id: '1' }, { version: 2 })).toBe(0);
  expect(await employed({ person_id: '1', company_id: '1' }, { version: 4 })).toBe(1);
});

test('a delete of an unknown relationship counts for nothing', async () => {
  expect(await sync(bridge, remove('employment', 'never'))).toBe(0);
});

test('a record may be linked to itself', async () => {
  const self = {
    type: 'parent',
    kind: 'relationship',
    relationshipTypeId: workspace,
    fromField: 'a',
    fromResourceType: 'company',
    toField: 'b',
    toResourceType: 'company',
  } as const;
  const company1 = {
    type: 'company',
    kind: 'entity',
    entity_type: 'company',
    name_field: 'name',
    field_map: {},
  } as const;
  const own = await newBridge([], { workspaces: [{ workspace_id: workspace, resources: [company1, self] }] });
  await sync(own, push('company', '1', { name: 'Acme' }));
  expect(await sync(own, push('parent', 'p', { a: '1', b: '1' }))).toBe(1);
  expect(await all()).toHaveLength(1);
});

test('entities of another bridge are not accepted as ends', async () => {
  const other = await newBridge([workspace]);
  await Promise.all([person('1'), sync(other, push('company', '1', { name: 'theirs' }))]);
  expect(await employed({ person_id: '1', company_id: '1' })).toBe(0);
});

test('after its end was deleted and came back, the relationship can be sent again', async () => {
  await Promise.all([person('1'), company('1')]);
  await employed({ person_id: '1', company_id: '1', role: 'CTO' }, { version: 1 });
  await sync(bridge, remove('company', '1'));
  expect(await all()).toEqual([]);
  await company('1');
  expect(await employed({ person_id: '1', company_id: '1' }, { version: 1 })).toBe(1);
  expect(await all()).toMatchObject([{ to_id: await idOf('company:1') }]);
});

test('an entity that goes between the look-up and the write takes the relationship with it', async () => {
  await Promise.all([person('1'), company('1')]);
  rightBefore('"metadata"', () => sync(bridge, remove('company', '1')));
  expect(await employed({ person_id: '1', company_id: '1' })).toBe(0);
  expect(await all()).toEqual([]);
});

test('a relationship that moves while its old end is being deleted stays', async () => {
  await Promise.all([person('1'), company('1'), company('2')]);
  await employed({ person_id: '1', company_id: '1' });
  rightBefore(':gone', () => employed({ company_id: '2' }));
  await sync(bridge, remove('company', '1'));
  expect(await all()).toMatchObject([{ to_id: await idOf('company:2') }]);
  expect(await relationships.ofEntities(workspace, [(await idOf('person:1')) ?? ''])).toHaveLength(1);
});

test('an entity deleted while relationships to it arrive leaves no dangling link', async () => {
  await Promise.all([person('1'), company('1')]);
  const personId = (await idOf('person:1')) ?? '';
  const links = Array.from({ length: 10 }, (_, i) =>
    sync(bridge, push('employment', `e${i}`, { person_id: '1', company_id: '1' })),
  );
  await Promise.all([...links, sync(bridge, remove('company', '1'))]);
  expect(await all()).toEqual([]);
  expect(await relationships.ofEntities(workspace, [personId])).toEqual([]);
});
