// rules.md: reads 12. The items of a step as a table: what the step made first, and a link to each record.
import { expect, test } from 'vitest';
import { itemRows, namesAlone, pageText } from '../../clients/console/view-models/item-rows.ts';
import { parseRecordLinks, type StepItem } from '../../clients/sdk/index.ts';

const ID = '30eeeb8f-f717-892c-8439-f801e4b909d8';
const item = (fields: Partial<StepItem>): StepItem => ({
  id: ID,
  name: 'A',
  type: 'company',
  fields: {},
  ...fields,
});

test('what the step made comes first; type and score only where they say something', () => {
  const plain = itemRows([item({ fields: { city: 'Oslo', made: 'x' } })], ['made', 'missing']);
  expect(plain.columns).toEqual(['name', 'made', 'city']);
  const mixed = itemRows([item({ score: 0.5 }), item({ type: 'person' })], []);
  expect(mixed.columns).toEqual(['name', 'type', 'score']);
  expect(mixed.rows).toMatchObject([{ type: 'company', score: 0.5 }, { type: 'person' }]);
});

test.each([
  [item({ name: 'A [b](c) & <d>' }), [{ kind: 'entity', id: ID, label: 'A [b](c) & <d>' }]],
  [item({ type: 'note', name: 'N' }), [{ kind: 'note', id: ID, label: 'N' }]],
  [item({ id: null, name: 'Berlin' }), ['Berlin']],
  [item({ id: 'row 7', name: 'Of a source' }), ['Of a source']],
])('a name leads to its record, that of a group or of a source to nothing (%#)', (one, parts) => {
  expect(parseRecordLinks(String(itemRows([one], []).rows[0]?.name))).toEqual(parts);
});

test('a field that is called name does not take its place', () => {
  const { columns, rows } = itemRows([item({ name: 'A', id: null, fields: { name: 'B', type: 'C' } })], []);
  expect(columns).toEqual(['name', 'type']);
  expect(rows).toEqual([{ type: 'C', name: 'A' }]);
});

test('a page says where it is', () => {
  expect(pageText(20, 20, 1340)).toBe('21 to 40 of 1,340');
});

test('without a key nothing leads to a record: neither names nor links in fields (rules.md: console 21)', () => {
  const fields = { owner: `[Beta](entity=${ID})`, size: 3 };
  const { rows } = itemRows(namesAlone([item({ name: 'Acme', fields })]), []);
  expect(rows).toEqual([{ type: 'company', owner: 'Beta', size: 3, name: 'Acme' }]);
});
