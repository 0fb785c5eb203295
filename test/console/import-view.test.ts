// What the import of a file shows: the suggested type, the first rows, the outcome in words.
import { expect, test } from 'vitest';
import { outcomeText, previewOf, suggestedType } from '../../clients/console/view-models/import-view.ts';

test.each([
  ['companies.csv', 'company'],
  ['Person.ndjson', 'person'],
  ['tickets.2026.csv', ''],
  ['boxes.tsv', 'box'],
  ['export.csv', ''],
])('a file called %s is suggested as %j', (name, type) => {
  expect(suggestedType(name, ['person', 'company', 'box', 'ticket'])).toBe(type);
});

test('the first rows have the columns of the file in its order, with their kinds and roles', () => {
  const columns = [
    { name: 'No', kind: 'number', role: 'id', filled: 1 },
    { name: 'Subject', kind: 'text', role: 'name', filled: 1 },
    { name: 'opened', kind: 'date', role: 'field', filled: 0 },
  ] as const;
  const record = { type: 'ticket', name: 'No ink', external_id: '7', source: 'custom', fields: {} } as const;
  const { columns: shown, rows } = previewOf({ columns: [...columns] }, [record]);
  expect(shown.map(({ label }) => label)).toEqual(['No (id)', 'Subject (name)', 'opened (date)']);
  expect(rows).toEqual([{ at: 0, row: { No: '7', Subject: 'No ink', opened: undefined } }]);
});

test('a column that is name and id is shown with its value', () => {
  const columns = [{ name: 'sku', kind: 'text', role: 'name', filled: 1 } as const];
  const record = { type: 'part', name: 'A-1', external_id: 'A-1', fields: {} };
  expect(previewOf({ columns }, [record]).rows).toEqual([{ at: 0, row: { sku: 'A-1' } }]);
});

test('rows that say themselves what they are have the names of all of them', () => {
  const first = [
    { type: 'company', name: 'Acme', fields: { city: 'Oslo' } },
    { type: 'person', name: 'Ito', external_id: '7', fields: {} },
  ];
  const { columns, rows } = previewOf({ columns: [] }, first);
  expect(columns.map(({ label }) => label)).toEqual(['type', 'name', 'city', 'external_id']);
  expect(rows[0]?.row).toEqual({ type: 'company', name: 'Acme', city: 'Oslo' });
});

const outcome = {
  ...{ created: 1200, updated: 0, unchanged: 3, refused: [], refused_count: 1 },
  ...{ done: 1204, rows: 1204, last_line: 1205 },
};

test.each([
  [false, '1,200 created, 3 left as they were, 1 row refused'],
  [true, '1,200 created, 0 updated, 3 unchanged, 1 row refused'],
])('the outcome says what became of the rows that were there (updates: %s)', (updates, text) => {
  expect(outcomeText(outcome, updates)).toBe(text);
});
