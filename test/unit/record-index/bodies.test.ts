// An index gets the bodies of its snapshot block by block, as hits and changes need them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { noChanges } from '#record-index/apply.ts';
import { IndexIncomplete } from '#record-index/index-errors.ts';
import { operations } from '#record-index/index-operations.ts';
import { ridIn } from '#record-index/record-bodies.ts';
import { openMemory } from '#record-index/schema.ts';
import { addingParts, checked, newLog, restoredFrom } from '../../support/snapshot-objects.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

/** An index of five blocks, restored. */
function manyRestored() {
  const whole = openMemory();
  const log = newLog();
  const records = Array.from({ length: 9000 }, (_, n) => ({
    entity: { ...entity('company', `Record ${n}`, { n }), id: `r${n}` },
    vector: undefined,
  }));
  log.write({ ...noChanges, records });
  log.follow(whole);
  return { whole, restored: restoredFrom(whole, newPath(), log), log };
}

const last = { field: 'n', op: '>', value: 8998 } as const;
const find = (index: DatabaseSync) =>
  checked.find(index, { types: null, where: last, sort: [{ field: 'n' }], limit: 5 });

test('hits and changes need the blocks of their records alone, conditions and counts none', () => {
  const { whole, restored, log } = manyRestored();
  expect(checked.count(restored.index, { types: null, where: last })).toBe(1);
  expect(addingParts(restored, find)).toEqual({ result: find(whole), added: ['bodies-4'] });
  log.write({ ...noChanges, gone_records: ['r1', 'r8999'] });
  expect(addingParts(restored, log.follow).added).toEqual(['bodies-0']);
  expect(checked.count(restored.index, { types: null })).toBe(8998);
});

test('an index that lacks something is packed once it has everything', () => {
  const { whole, restored } = manyRestored();
  const { result, added } = addingParts(restored, (index) => restoredFrom(index, newPath()));
  expect(added).toEqual([
    ...['words', 'wide', 'vectors', 'links'],
    ...[0, 1, 2, 3, 4].map((number) => `bodies-${number}`),
  ]);
  expect(addingParts(result, find).result).toEqual(find(whole));
});

test('a hit has its body, or its rid until the block has come; a changed record is never read from its block', () => {
  const { restored, log } = manyRestored();
  const { index } = restored;
  const [hit] = find(index).hits;
  expect(ridIn(hit?.body ?? '')).toBe(9000);
  const changed = { ...entity('company', 'Changed', { n: 8999 }), id: 'r8999' };
  log.write({ ...noChanges, records: [{ entity: changed, vector: undefined }] });
  expect(() => log.follow(index)).toThrow(IndexIncomplete);
  addingParts(restored, log.follow);
  const nameOf = () => JSON.parse(find(index).hits[0]?.body ?? '').name;
  expect(nameOf()).toBe('Changed');
  operations.addBlock(
    index,
    JSON.stringify([
      [9000, '{"name":"Record 8999"}'],
      [12_345, '{}'],
    ]),
  );
  expect(nameOf()).toBe('Changed');
  expect(index.prepare('SELECT 1 FROM bodies WHERE rid = 12345').get()).toBeUndefined();
});
