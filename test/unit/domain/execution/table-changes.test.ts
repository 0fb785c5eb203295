// rules.md: monitors 9, monitors 17. The difference of two tables against a naive one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { type Row, tableChanges as streamed } from '#domain/execution/table-changes.ts';
import { canonicalJson } from '#platform/crypto.ts';

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom('a', 'b', '', '`x`'),
  fc.constantFrom(0, 1, 1.5),
  fc.constant(null),
  fc.constantFrom<Json[]>({ x: 1, y: 2 }, { y: 2, x: 1 }, ['a', 1]),
);
const linked = fc.constantFrom('1', '2', '3', '4').map((id) => `[Name ${id}](entity=${id})`);
/** Few records and values, so that tables often share them; some rows are of no record. */
const row: fc.Arbitrary<Row> = fc
  .record(
    { name: fc.oneof({ arbitrary: linked, weight: 4 }, value), city: value, size: value },
    { requiredKeys: [] },
  )
  .map((cells): Row => ({ ...cells }));
const table = fc.array(row, { maxLength: 8 });

/** In groups, as they are read. */
const rowsOf = (rows: Row[]) =>
  async function* () {
    for (const row of rows) yield [{ row }];
  };
const tableChanges = (before: Row[], after: Row[]) => streamed(rowsOf(before), rowsOf(after));

/** What a row is of: a record, else itself. */
const of = ({ name, ...rest }: Row) =>
  /^\[.*\]\(entity=(.*)\)$/.exec(String(name))?.[1] ??
  canonicalJson({ ...(name !== undefined && { name }), ...rest });

/** The n-th row of something is compared with the n-th of the other table: by lists, and by searching them. */
function naive(before: Row[], after: Row[]) {
  const nth = (rows: Row[], i: number) =>
    rows.slice(0, i).filter((one) => of(one) === of(rows[i] ?? {})).length;
  const partner = (row: Row, n: number, others: Row[]) => others.filter((other) => of(other) === of(row))[n];
  const rows: object[] = [];
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const [i, row] of after.entries()) {
    const old = partner(row, nth(after, i), before);
    if (!old) {
      counts.added += 1;
      rows.push({ change: 'added', record: row.name ?? null, field: null, before: null, after: null });
      continue;
    }
    const fields = [...Object.keys(row), ...Object.keys(old).filter((field) => !Object.hasOwn(row, field))];
    const changed = fields.filter(
      (field) => canonicalJson(row[field] ?? null) !== canonicalJson(old[field] ?? null),
    );
    if (changed.length > 0) counts.changed += 1;
    for (const field of changed) {
      const [was, is] = [old[field] ?? null, row[field] ?? null];
      rows.push({ change: 'changed', record: row.name ?? null, field, before: was, after: is });
    }
  }
  for (const [i, row] of before.entries()) {
    if (partner(row, nth(before, i), after)) continue;
    counts.removed += 1;
    rows.push({ change: 'removed', record: row.name ?? null, field: null, before: null, after: null });
  }
  return { rows, counts };
}

test('equals a naive comparison', async () => {
  await fc.assert(
    fc.asyncProperty(table, table, async (before, after) => {
      expect(await tableChanges(before, after)).toEqual(naive(before, after));
    }),
    { numRuns: 2000 },
  );
});

test('a table does not differ from itself, whatever the order of its rows and of the keys in a cell', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const { counts } = await tableChanges(rows, [...rows]);
      expect(counts).toEqual({ added: 0, removed: 0, changed: 0 });
    }),
    { numRuns: 200 },
  );
  const [one, two] = [
    { name: '[A](entity=1)', at: { x: 1, y: 2 } },
    { name: '[B](entity=2)', at: null },
  ];
  const turned = [two, { ...one, at: { y: 2, x: 1 } }];
  expect((await tableChanges([one, two], turned)).rows).toEqual([]);
});

test('a group that counts something else is another row', async () => {
  const { rows } = await tableChanges([{ name: 'Berlin', count: 1 }], [{ name: 'Berlin', count: 2 }]);
  expect(rows.map(({ change, record }) => [change, record])).toEqual([
    ['added', 'Berlin'],
    ['removed', 'Berlin'],
  ]);
});

test('each table is read group by group, the earlier one twice: nothing of it needs to be held', async () => {
  const reads = { before: 0, after: 0 };
  let open = 0;
  const table = (which: keyof typeof reads, text: string) =>
    async function* () {
      reads[which] += 1;
      open += 1;
      expect(open).toBe(1);
      for (let i = 0; i < 50; i += 1)
        yield [{ row: { name: `[A](entity=${i})`, text: i === 7 ? text : 'same' } }];
      open -= 1;
    };
  const { rows, counts } = await streamed(table('before', 'old'), table('after', 'new'));
  expect(counts).toEqual({ added: 0, removed: 0, changed: 1 });
  expect(rows).toEqual([
    { change: 'changed', record: '[A](entity=7)', field: 'text', before: 'old', after: 'new' },
  ]);
  expect(reads).toEqual({ before: 2, after: 1 });
});

test('rows of items of a source are compared by their ids, and only as a whole where they have none', async () => {
  const rows = (...all: [name: string, item_id: string | null][]) =>
    async function* () {
      yield all.map(([name, item_id]) => ({ row: { name }, item_id }));
    };
  const { rows: changes, counts } = await streamed(
    rows(['Acme', '1'], ['Gone', '2'], ['Group', null]),
    rows(['Acme Ltd', '1'], ['Acme', '3'], ['Other group', null]),
  );
  expect(counts).toEqual({ added: 2, removed: 2, changed: 1 });
  expect(changes[0]).toEqual({
    ...{ change: 'changed', record: 'Acme Ltd', field: 'name', before: 'Acme', after: 'Acme Ltd' },
  });
});
