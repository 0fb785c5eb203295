// An index gets the bodies of its snapshot block by block, as hits and changes need them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test, vi } from 'vitest';
import { ObjectsAbsent } from '#record-index/absent.ts';
import { applyChanges, type IndexChanges, noChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/operations.ts';
import { openMemory } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { addingObjects, restoredFrom } from '../../support/snapshot-objects.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

const apply = (index: DatabaseSync, changes: IndexChanges) =>
  transaction(index, () => applyChanges(index, changes));

/** An index of five blocks, restored. */
function manyRestored() {
  const whole = openMemory();
  const records = Array.from({ length: 9000 }, (_, n) => ({
    entity: { ...entity('company', `Record ${n}`, { n }), id: `r${n}` },
    vector: undefined,
  }));
  apply(whole, { ...noChanges, records });
  return { whole, restored: restoredFrom(whole, newPath()) };
}

const bodiesIn = (added: string[]) => added.filter((name) => name.startsWith('bodies-'));
const last = { field: 'n', op: '>', value: 8998 } as const;
const find = (index: DatabaseSync) =>
  operations.find(index, { types: null, where: last, sort: [{ field: 'n' }], limit: 5 });

test('hits and changes need the blocks of their records alone, conditions and counts none', () => {
  const { whole, restored } = manyRestored();
  expect(operations.count(restored.index, { types: null, where: last })).toBe(1);
  expect(addingObjects(restored, find)).toEqual({ result: find(whole), added: ['bodies-4'] });
  const gone = { ...noChanges, gone_records: ['r1', 'r8999'] };
  expect(bodiesIn(addingObjects(restored, (index) => apply(index, gone)).added)).toEqual(['bodies-0']);
  expect(operations.count(restored.index, { types: null })).toBe(8998);
});

test('an index that lacks something is packed once it has everything', () => {
  const { whole, restored } = manyRestored();
  const { result, added } = addingObjects(restored, (index) => restoredFrom(index, newPath()));
  expect(bodiesIn(added)).toEqual([0, 1, 2, 3, 4].map((number) => `bodies-${number}`));
  expect(addingObjects(result, find).result).toEqual(find(whole));
});

test('a damaged block is refused, and one of another snapshot is not added', () => {
  const { restored } = manyRestored();
  const block = restored.objects.find(({ part, number }) => part === 'bodies' && number === 4);
  if (!block) throw new Error('there is no such block');
  operations.addObject(restored.index, { ...block, where: 'another place' });
  expect(() => find(restored.index)).toThrow(ObjectsAbsent);
  const damaged = Buffer.from(block.packed);
  damaged.writeUInt8(damaged.readUInt8(40) ^ 1, 40);
  expect(() => operations.addObject(restored.index, { ...block, packed: damaged })).toThrow('malformed');
  for (let time = 0; time < 2; time += 1) operations.addObject(restored.index, block);
  expect(find(restored.index).hits).toHaveLength(1);
});

test('a question whose bodies have come does not search again, unless something has changed', () => {
  const { whole, restored } = manyRestored();
  const { index } = restored;
  const prepared = vi.spyOn(index, 'prepare');
  const searches = () => prepared.mock.calls.filter(([sql]) => sql.includes('ORDER BY')).length;
  expect(() => find(index)).toThrow(ObjectsAbsent);
  expect(searches()).toBe(1);
  expect(addingObjects(restored, find).result).toEqual(find(whole));
  expect(searches()).toBe(1);
  expect(find(index)).toEqual(find(whole));
  expect(searches()).toBe(2);

  const first = { field: 'n', op: '<', value: 2 } as const;
  const findFirst = (one: DatabaseSync) =>
    operations.find(one, { types: null, where: first, sort: [{ field: 'n' }], limit: 5 });
  expect(() => findFirst(index)).toThrow(ObjectsAbsent);
  for (const one of [whole, index]) {
    const { revision } = operations.state(one);
    const changes = { ...noChanges, gone_records: ['r0'] };
    const update = { revision, changes, applied: [] };
    if (one === index) addingObjects(restored, () => operations.update(index, update));
    else operations.update(one, update);
  }
  expect(findFirst(index)).toEqual(findFirst(whole));
});
