// An index restored from a snapshot answers as the one that was packed, whatever it lacks and whatever changes later.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { type IndexChanges, noChanges } from '#record-index/apply.ts';
import { fileNames, pathOf } from '#record-index/files.ts';
import { IndexBusy, IndexDamaged } from '#record-index/index-errors.ts';
import { operations } from '#record-index/index-operations.ts';
import { openFile, openMemory } from '#record-index/schema.ts';
import { answerOf, idOf, questions } from '../../support/index-questions.ts';
import { addingParts, checked, newLog, restoredFrom } from '../../support/snapshot-objects.ts';
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

/** So few that other parts are still absent at the next change. */
const names = fc.shuffledSubarray(Object.keys(questions), { minLength: 1, maxLength: 2 });
const history = fc.array(fc.oneof(change, names), { maxLength: 12 });

test('whatever is asked and changed before and after parts come, the answers are the same', () => {
  fc.assert(
    fc.property(fc.array(change), history, (before, after) => {
      const whole = openMemory();
      const log = newLog();
      for (const one of before) log.write(changesOf(one));
      log.follow(whole);
      const restored = restoredFrom(whole, newPath(), log);
      for (const one of [...after, Object.keys(questions)])
        if (Array.isArray(one))
          for (const name of one)
            expect([name, addingParts(restored, (index) => answerOf(name, index)).result]).toEqual([
              name,
              answerOf(name, whole),
            ]);
        else {
          log.write(changesOf(one));
          log.follow(whole);
          const { added } = addingParts(restored, log.follow);
          expect(added.filter((name) => !/^bodies-/.test(name))).toEqual([]);
        }
      for (const index of [whole, restored.index]) index.close();
    }),
    { numRuns: 15 },
  );
});

/** An index on disk with some records and a link between two. */
function someIndex() {
  const log = newLog();
  const path = newPath();
  const name = 'Acme';
  for (let n = 0; n < 4; n += 1)
    log.write(changesOf({ kind: 'record', n, type: 'company', name, value: `long ${'text '.repeat(30)}` }));
  log.write(changesOf({ kind: 'link', n: 1, from: 1, to: 2 }));
  const index = openFile(path);
  log.follow(index);
  return { index, path, log };
}

test.each(fileNames)(
  'a crash that leaves %s behind the core heals: no question is answered before',
  (name) => {
    const { index, path, log } = someIndex();
    index.close();
    const file = pathOf(path, name);
    copyFileSync(file, `${file}.before`);
    const open = openFile(path);
    log.write(changesOf({ kind: 'gone', n: 1 }));
    log.write(changesOf({ kind: 'record', n: 2, type: 'company', name: 'Beta two', value: 7 }));
    log.write(changesOf({ kind: 'record', n: 1, type: 'person', name: 'Acme', value: 7 }));
    log.follow(open);
    open.close();
    copyFileSync(`${file}.before`, file);
    const lagging = openFile(path);
    expect(operations.state(lagging).is_level).toBe(false);
    expect(() => checked.find(lagging, { types: null, sort: [], limit: 9 })).toThrow(IndexBusy);
    log.follow(lagging);
    const whole = openMemory();
    log.follow(whole);
    for (const asked of Object.keys(questions))
      expect([asked, answerOf(asked, lagging)]).toEqual([asked, answerOf(asked, whole)]);
    lagging.close();
  },
);

test('a core that another file is ahead of is damaged', () => {
  const { index, path, log } = someIndex();
  index.close();
  copyFileSync(path, `${path}.before`);
  const open = openFile(path);
  log.write(changesOf({ kind: 'gone', n: 1 }));
  log.follow(open);
  open.close();
  copyFileSync(`${path}.before`, path);
  const older = openFile(path);
  expect(() => operations.state(older)).toThrow(IndexDamaged);
  older.close();
});

test('a file of another index is not attached: both are replaced by an empty one', () => {
  const [one, other] = [someIndex(), someIndex()];
  for (const { index } of [one, other]) index.close();
  copyFileSync(pathOf(other.path, 'words'), pathOf(one.path, 'words'));
  const index = openFile(one.path);
  expect(operations.count(index, { types: null })).toBe(0);
  index.close();
});
