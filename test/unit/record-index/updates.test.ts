// Concurrent writers of one index: an update applies only if no one else wrote since its writer read.
import { expect, test } from 'vitest';
import type { Entity } from '#contract/entities.ts';
import { noChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/index-operations.ts';
import type { Update } from '#record-index/index-updates.ts';
import { openFile } from '#record-index/schema.ts';

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const of = { workspace_id: 'w', type: 'company', fields: {}, created_at: 1, updated_at: 1 };
const entityOf = (n: number): Entity => ({ ...of, id: idOf(n), name: `Company ${n}` });

function index() {
  const database = openFile(':memory:');
  return {
    database,
    revision: () => operations.state(database).revision,
    puts: (n: number, revision: number, more: Partial<Update> = {}) => {
      const changes = { ...noChanges, records: [{ entity: entityOf(n), vector: undefined }] };
      return operations.update(database, { revision, changes, applied: [`change ${n}`], ...more });
    },
    removes: (n: number, revision: number) =>
      operations.update(database, {
        revision,
        changes: { ...noChanges, gone_records: [idOf(n)] },
        applied: [],
      }),
  };
}

test('updates of other records leave an update in time', () => {
  const { puts, revision } = index();
  const seen = revision();
  expect([puts(1, seen), puts(2, seen), puts(3, seen)]).toEqual([true, true, true]);
});

test('an update of the same record, or its removal, makes an update late', () => {
  const { puts, removes, revision } = index();
  const seen = revision();
  puts(1, seen);
  expect(puts(1, seen)).toBe(false);
  removes(2, revision());
  expect(puts(2, seen)).toBe(false);
  expect(puts(2, revision())).toBe(true);
});

test('the progress of the whole index is stale after any update', () => {
  const { puts, revision } = index();
  const seen = revision();
  puts(1, seen);
  expect(puts(2, seen, { cursor_ms: 5 })).toBe(false);
  expect(puts(2, revision(), { cursor_ms: 5 })).toBe(true);
  expect(puts(3, seen)).toBe(false);
});

test('an update is late when the index was emptied, or more was written since than is remembered', () => {
  const { puts, revision, database } = index();
  const seen = revision();
  for (let n = 1; n <= 64; n += 1) puts(n, revision());
  expect(puts(100, seen)).toBe(true);
  expect(puts(101, seen)).toBe(false);
  const late = revision();
  operations.reset(database, late);
  expect(puts(102, late)).toBe(false);
});
