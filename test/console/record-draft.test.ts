// A record being edited: what its texts change, and which texts are refused.
import { expect, test } from 'vitest';
import { changesOf, draftOfRecord, withNewField } from '../../clients/console/view-models/record-draft.ts';
import type { Entity } from '../../clients/sdk/index.ts';

const record: Entity = {
  object: 'entity',
  id: '83d2f2e3-9380-884a-ab24-010000000000',
  type: 'company',
  name: 'Acme',
  external_uri: 'crm:acme',
  fields: { city: 'Berlin', size: 12.5, open: true, tags: ['eu'], note: null },
  created_at: 1,
  updated_at: 1,
  relationships: [],
};
const draft = draftOfRecord(record);
const typed = (name: string, text: string) => ({
  ...draft,
  fields: draft.fields.map((one) => (one.name === name ? { ...one, text } : one)),
});

test('what was not touched does not change', () => {
  expect(changesOf(record, draft)).toEqual({});
});

test.each([
  ['city', 'Oslo', 'Oslo'],
  ['city', '12', '12'],
  ['city', '', null],
  ['size', '13', 13],
  ['open', 'false', false],
  ['open', '', null],
  ['tags', '["eu", "us"]', ['eu', 'us']],
  ['note', '{"a": 1}', { a: 1 }],
])('a value keeps the kind of its field: %s %j', (name, text, value) => {
  expect(changesOf(record, typed(name, text))).toEqual({ fields: { [name]: value } });
});

test.each([
  ['size', 'large', 'size: “large” is no number.'],
  ['tags', 'eu, us', 'tags: what is written there is no list or object in JSON.'],
])('a text that is no such value is refused: %s %s', (name, text, message) => {
  expect(() => changesOf(record, typed(name, text))).toThrow(message);
});

test('a name and an address elsewhere change, and an empty address is taken away', () => {
  expect(changesOf(record, { ...draft, name: ' Acme Ltd ', uri: '' })).toEqual({
    name: 'Acme Ltd',
    external_uri: null,
  });
});

test('a new field has the kind that its text looks like; one without a name is none', () => {
  const added = withNewField(withNewField(draft));
  const fields = added.fields.map((one, at) => (at === 5 ? { ...one, name: ' seats ', text: '40' } : one));
  expect(changesOf(record, { ...added, fields })).toEqual({ fields: { seats: 40 } });
});
