// An index restored from a snapshot answers as the one that was packed, whatever it lacks and whatever changes later.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { applyChanges, type IndexChanges, noChanges } from '#record-index/apply.ts';
import { openMemory } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { idOf, questions } from '../../support/index-questions.ts';
import { addingObjects, restoredFrom } from '../../support/snapshot-objects.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'parts-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

/** So few that a later change is mostly of a record that was in the snapshot. */
const n = fc.integer({ min: 0, max: 6 });
const change = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      n,
      type: fc.constantFrom('company', 'person'),
      name: fc.constantFrom('Acme', 'Beta two'),
      value: fc.constantFrom<Json[]>(7, 'un"known\\', [1, 'Łódź'], `long ${'text '.repeat(30)}`, {
        in: true,
      }),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ kind: fc.constant('gone' as const), n }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('link' as const), n, from: n, to: n }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('unlink' as const), n }), weight: 1 },
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function changesOf(one: Change): IndexChanges {
  switch (one.kind) {
    case 'record': {
      const outside = {
        external_uri: `uri:${one.n % 5}`,
        external_id: `${one.n % 5}`,
        source: 'custom' as const,
      };
      const fields = { value: one.value, n: one.n };
      const record = { ...entity(one.type, one.name, fields), id: idOf(one.n), ...outside };
      return { ...noChanges, records: [{ entity: record, vector: [one.n, 1, 2] }] };
    }
    case 'gone':
      return { ...noChanges, gone_records: [idOf(one.n)] };
    case 'link': {
      const ends = { from_id: idOf(one.from), to_id: idOf(one.to) };
      const times = { created_at: one.n, updated_at: one.n };
      const link = {
        id: idOf(1000 + one.n),
        workspace_id: 'w',
        type: 'owns',
        ...ends,
        metadata: {},
        ...times,
      };
      return { ...noChanges, relationships: [link] };
    }
    case 'unlink':
      return { ...noChanges, gone_relationships: [idOf(1000 + one.n)] };
  }
}

const apply = (index: DatabaseSync, changes: IndexChanges) =>
  transaction(index, () => applyChanges(index, changes));

/** So few that other parts are still absent at the next change. */
const names = fc.shuffledSubarray(Object.keys(questions), { minLength: 1, maxLength: 2 });
const history = fc.array(fc.oneof(change, names), { maxLength: 12 });

test('whatever is asked and changed before and after parts come, the answers are the same', () => {
  fc.assert(
    fc.property(fc.array(change), history, (before, after) => {
      const whole = openMemory();
      for (const one of before) apply(whole, changesOf(one));
      const restored = restoredFrom(whole, newPath());
      for (const one of [...after, Object.keys(questions)])
        if (Array.isArray(one))
          for (const name of one)
            expect([name, addingObjects(restored, (index) => questions[name]?.(index)).result]).toEqual([
              name,
              questions[name]?.(whole),
            ]);
        else {
          const changes = changesOf(one);
          apply(whole, changes);
          const { added } = addingObjects(restored, (index) => apply(index, changes));
          expect(added.filter((name) => !/^(lookups|links|bodies)-/.test(name))).toEqual([]);
        }
      for (const index of [whole, restored.index]) index.close();
    }),
    { numRuns: 15 },
  );
});

test('a change fetches what it would wait for once ten thousand statements wait', () => {
  const whole = openMemory();
  const change = (value: number) => changesOf({ kind: 'record', n: 1, type: 'company', name: 'Acme', value });
  apply(whole, change(1));
  const restored = restoredFrom(whole, newPath());
  const partsOf = (value: number) =>
    addingObjects(restored, (index) => apply(index, change(value))).added.filter((name) =>
      /^words-/.test(name),
    );
  expect(partsOf(2)).toEqual([]);
  restored.index.exec(
    'UPDATE waiting_rows SET step = 10000 WHERE step = (SELECT max(step) FROM waiting_rows)',
  );
  expect(partsOf(3)).toEqual(['words-0']);
  for (const index of [whole, restored.index]) index.close();
});
