// Entities that come by a bridge: fields, names, versions, tombstones, adoption.

import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { offlineVectorOf } from '#contract/embeddings.ts';
import type { Entity } from '#contract/entities.ts';
import { deleteEntity } from '#domain/records/delete-entities.ts';
import { importRequest } from '#domain/records/import-request.ts';
import { newId } from '#platform/ids.ts';
import * as entities from '#store/records/entity-items.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { relationshipWrites } from '#store/records/relationship-items.ts';
import { getMany } from '#store/records/vectors.ts';
import { transact } from '#store/table/table.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { aroundTable } from '../../support/around-table.ts';
import { bridgedWorkspace, newBridge, push, remove, sync } from '../../support/bridges.ts';
import { allEntities, allRelationships } from '../../support/records-in-table.ts';
import { useBridges } from './use-bridges.ts';

let workspace: string;
let bridge: string;
useBridges();
beforeEach(async () => {
  ({ workspace, bridge } = await bridgedWorkspace());
});

const company = (attributes: object, more: object = {}) =>
  sync(bridge, push('company', '1', attributes, more));
const gone = (more: object = {}) => sync(bridge, remove('company', '1', more));
const found = () => entities.resolve(workspace, { external_uri: 'company:1' });

async function imported(change: Partial<Entity> = {}): Promise<Entity> {
  const entity: Entity = {
    id: newId(),
    workspace_id: workspace,
    type: 'company',
    name: 'Imported',
    fields: { city: 'Bonn', own: 1 },
    external_uri: 'company:1',
    created_at: 1,
    updated_at: 1,
    ...change,
  };
  await transact(entities.entityWrites(entity, { vector: [1, 1] }));
  return entity;
}

test('a synced entity is found by every outside name, and by its vector', async () => {
  await company({ name: 'Acme', hq: 'Berlin' });
  const entity = await found();
  expect(entity).toMatchObject({
    name: 'Acme',
    source: 'custom',
    external_id: '1',
    fields: { city: 'Berlin' },
  });
  expect(await entities.resolve(workspace, { external_id: '1', source: 'custom' })).toEqual(entity);
  expect(await getMany(workspace, [entity?.id ?? ''], offlineVectorOf(2))).toHaveLength(1);
});

test('create and update do the same: the resource id decides', async () => {
  const message = push('company', '1', { name: 'Acme' });
  await sync(bridge, message);
  const first = await found();
  await sync(bridge, { ...push('company', '1', { name: 'Acme 2' }), operation: 'create' });
  expect(await found()).toMatchObject({ id: first?.id, name: 'Acme 2', created_at: first?.created_at });
  expect(await allEntities(workspace)).toHaveLength(1);
});

test('an update keeps the fields and the name that it does not contain', async () => {
  await company({ name: 'Acme', hq: 'Berlin' });
  await company({ hq: 'Bonn' });
  expect(await found()).toMatchObject({ name: 'Acme', fields: { name: 'Acme', city: 'Bonn' } });
});

test('a field that is carried as null becomes null', async () => {
  await company({ name: 'Acme', hq: 'Berlin' });
  await company({ hq: null });
  expect((await found())?.fields).toEqual({ name: 'Acme', city: null });
});

test('a record without a usable name is called by its resource id', async () => {
  await company({ name: '  ' });
  expect((await found())?.name).toBe('1');
});

test('a number serves as a name, and a long name is cut to what a record takes', async () => {
  await company({ name: 42 });
  expect((await found())?.name).toBe('42');
  await company({ name: '🙂'.repeat(600) });
  expect((await found())?.name).toBe('🙂'.repeat(500));
});

test('an older version is skipped, an equal one and one without version apply', async () => {
  expect(await company({ name: 'v5' }, { version: 5 })).toBe(1);
  expect(await company({ name: 'v4' }, { version: 4 })).toBe(0);
  expect((await found())?.name).toBe('v5');
  expect(await company({ name: 'v5 again' }, { version: 5 })).toBe(1);
  expect(await company({ name: 'unversioned' })).toBe(1);
  expect((await found())?.name).toBe('unversioned');
});

test('a message without a version leaves the stored version unchanged', async () => {
  await company({ name: 'v5' }, { version: 5 });
  await company({ name: 'unversioned' });
  expect(await company({ name: 'v4' }, { version: 4 })).toBe(0);
});

test('versions of other resources do not matter', async () => {
  await company({ name: 'v5' }, { version: 5 });
  expect(await sync(bridge, push('company', '2', { name: 'other' }, { version: 1 }))).toBe(1);
  expect(await sync(bridge, push('person', '1', { full_name: 'Ada' }, { version: 1 }))).toBe(1);
});

test('the largest version is stored exactly', async () => {
  await company({ name: 'last' }, { version: Number.MAX_SAFE_INTEGER });
  expect(await company({ name: 'older' }, { version: Number.MAX_SAFE_INTEGER - 1 })).toBe(0);
  expect(await company({ name: 'same' }, { version: Number.MAX_SAFE_INTEGER })).toBe(1);
});

test('a delete removes the record, its names and its vector', async () => {
  await company({ name: 'Acme' });
  const id = (await found())?.id ?? '';
  expect(await gone()).toBe(1);
  expect(await found()).toBeUndefined();
  expect(await entities.resolve(workspace, { external_id: '1', source: 'custom' })).toBeUndefined();
  expect([await allEntities(workspace), await getMany(workspace, [id], offlineVectorOf(2))]).toEqual([
    [],
    [],
  ]);
});

test('a late update does not restore a deleted record, a newer one does', async () => {
  await company({ name: 'v1' }, { version: 1 });
  await gone({ version: 3 });
  expect(await company({ name: 'v2' }, { version: 2 })).toBe(0);
  expect(await found()).toBeUndefined();
  expect(await company({ name: 'v4' }, { version: 4 })).toBe(1);
  expect((await found())?.name).toBe('v4');
});

test('a delete that comes before its resource leaves a tombstone, and counts for nothing', async () => {
  expect(await gone({ version: 5 })).toBe(0);
  expect(await gone({ version: 5 })).toBe(0);
  expect(await company({ name: 'v4' }, { version: 4 })).toBe(0);
  expect(await found()).toBeUndefined();
});

test('an older delete is skipped, a repeated one applies again', async () => {
  await company({ name: 'v5' }, { version: 5 });
  expect(await gone({ version: 4 })).toBe(0);
  expect(await found()).toBeDefined();
  expect(await gone({ version: 5 })).toBe(1);
  expect(await gone({ version: 5 })).toBe(1);
});

test('the first message adopts the imported record of its URI', async () => {
  const before = await imported();
  await company({ name: 'Acme' });
  expect(await found()).toMatchObject({
    id: before.id,
    name: 'Acme',
    fields: { city: 'Bonn', own: 1, name: 'Acme' },
    external_id: '1',
    source: 'custom',
    created_at: 1,
  });
  expect(await allEntities(workspace)).toHaveLength(1);
});

test('the first message adopts the imported record of its type and external id', async () => {
  const { id } = await imported({ external_uri: 'crm:acme', external_id: '1', source: 'custom' });
  await imported({ type: 'person', external_uri: 'crm:dana', external_id: '1', source: 'custom' });
  await company({ name: 'Acme' });
  expect(await found()).toMatchObject({ id, type: 'company', fields: { city: 'Bonn', own: 1 } });
  expect(await allEntities(workspace)).toHaveLength(2);
});

test('a first message whose external id and URI belong to two records is refused, and changes neither', async () => {
  await imported({ external_uri: 'crm:acme', external_id: '1', source: 'custom' });
  await imported();
  const before = await allEntities(workspace);
  await expect(company({ name: 'Acme' })).rejects.toMatchObject({ code: 'invalid_payload' });
  expect(await allEntities(workspace)).toEqual(before);
});

test('an adopted record loses the outside names it had before', async () => {
  await imported({ external_id: 'A1', source: 'crunchbase' });
  await company({ name: 'Acme' });
  expect(await entities.resolve(workspace, { external_id: 'A1', source: 'crunchbase' })).toBeUndefined();
  expect(await entities.resolve(workspace, { external_id: '1', source: 'custom' })).toBeDefined();
});

test('a delete as first message removes the imported record of its URI', async () => {
  await imported();
  expect(await gone()).toBe(1);
  expect(await allEntities(workspace)).toEqual([]);
});

test('the record of another bridge is not adopted: the identity is bridge, type and id', async () => {
  await company({ name: 'ours' });
  const other = await newBridge([workspace]);
  expect(await sync(other, push('company', '1', { name: 'theirs' }))).toBe(1);
  expect((await allEntities(workspace)).map(({ name }) => name).sort()).toEqual(['ours', 'theirs']);
  expect(await sync(other, remove('company', '1'))).toBe(1);
  expect((await found())?.name).toBe('ours');
});

test('two bridges that meet one imported record: exactly one adopts it', async () => {
  const before = await imported();
  const others = await Promise.all([1, 2, 3, 4].map(() => newBridge([workspace])));
  await Promise.all(others.map((id) => sync(id, push('company', '1', { name: id }))));
  const all = await allEntities(workspace);
  expect(all).toHaveLength(4);
  expect(all.filter(({ id }) => id === before.id)).toHaveLength(1);
  expect(new Set(all.map(({ name }) => name))).toEqual(new Set(others));
});

test('messages for one resource that race leave the highest version and one record', async () => {
  const versions = Array.from({ length: 12 }, (_, i) => i + 1);
  await Promise.all(versions.map((version) => company({ name: `v${version}` }, { version })));
  expect(await allEntities(workspace)).toMatchObject([{ name: 'v12' }]);
});

test('deleting a record removes its relationships, those of others stay', async () => {
  await company({ name: 'Acme' });
  const [acme, other, third] = [
    await found(),
    await imported({ external_uri: 'x:2' }),
    await imported({ external_uri: 'x:3' }),
  ];
  const link = (from_id: string, to_id: string) => {
    const relationship = {
      id: newId(),
      workspace_id: workspace,
      from_id,
      to_id,
      type: 't',
      metadata: {},
      created_at: 1,
      updated_at: 1,
    };
    return transact(relationshipWrites(relationship));
  };
  await link(acme?.id ?? '', other.id);
  await link(third.id, acme?.id ?? '');
  await link(other.id, third.id);
  await gone();
  expect(await allRelationships(workspace)).toMatchObject([{ from_id: other.id, to_id: third.id }]);
  expect(await relationships.ofEntities(workspace, [other.id, third.id])).toHaveLength(1);
});

test('the first message of a resource and an import that take its names at the same time make one record', async () => {
  const line = { type: 'company', name: 'Imported', fields: { own: 1 }, external_uri: 'company:1' };
  let isDone = false;
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    if (!isDone && name === 'TransactWriteCommand' && JSON.stringify(input).includes('#ENTITIES')) {
      isDone = true;
      const home = (await workspaces.get(workspace)) ?? expect.fail();
      await importRequest(home, [line], {}, { actor: 'key_1', request_id: 'r' });
    }
    return carryOut();
  });
  onTestFinished(restore);
  expect(await company({ name: 'Acme', hq: 'Berlin' })).toBe(1);
  expect(await allEntities(workspace)).toMatchObject([
    { name: 'Acme', fields: { own: 1, city: 'Berlin' }, external_uri: 'company:1', external_id: '1' },
  ]);
});

test('a record that a key has deleted comes again with the next message, once', async () => {
  await company({ name: 'Acme' }, { version: 1 });
  const home = (await workspaces.get(workspace)) ?? expect.fail();
  await deleteEntity(home, (await found())?.id, { actor: 'key_1', request_id: 'r' });
  expect(await found()).toBeUndefined();
  expect(await company({ name: 'Acme 2' }, { version: 2 })).toBe(1);
  expect(await company({ name: 'Acme 3' }, { version: 3 })).toBe(1);
  expect(await allEntities(workspace)).toMatchObject([{ name: 'Acme 3', external_uri: 'company:1' }]);
  expect(await gone({ version: 4 })).toBe(1);
  expect(await allEntities(workspace)).toEqual([]);
});
