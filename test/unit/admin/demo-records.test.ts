// The demo's records: whole, consistent, the same on every start.
import { expect, test } from 'vitest';
import { demoEntities, demoRelationships, publicEntities } from '../../../functions/admin/demo-records.ts';
import { ImportEntity, ImportRelationship } from '../../../functions/domain/records/checked-lines.ts';

test('every record passes the checks of an import', () => {
  for (const line of [...demoEntities(), ...publicEntities()])
    expect(() => ImportEntity.parse(line)).not.toThrow();
  for (const line of demoRelationships()) expect(() => ImportRelationship.parse(line)).not.toThrow();
});

test('ids and outside names are unique', () => {
  const all = [...demoEntities(), ...publicEntities()];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ external_uri }) => external_uri)).size).toBe(all.length);
});

test('both ends of every relationship are demo records', () => {
  const ids = new Set(demoEntities().map(({ id }) => id));
  for (const { from, to } of demoRelationships())
    for (const end of [from, to]) expect('id' in end && ids.has(end.id)).toBe(true);
});

test('a second seed writes the same records', () => {
  expect(demoEntities()).toEqual(demoEntities());
});
