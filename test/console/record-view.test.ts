// A table of records: what its address says, and what a plan asks for.
import { expect, test } from 'vitest';
import type { Query } from '../../clients/console/view-models/address.ts';
import {
  addressOf,
  askAbout,
  conditionOf,
  conditionText,
  type FetchParams,
  pageParamsOf,
  paramsOf,
  type RecordView,
  titleOf,
  viewOf,
  whereOf,
} from '../../clients/console/view-models/record-view.ts';
import type { EntityType } from '../../clients/sdk/index.ts';
import { CreateRun } from '../../functions/contract/runs.ts';

const ticket: EntityType = {
  type: 'ticket',
  count: 3,
  fields: [
    { field: 'Amount', kinds: ['number'], count: 3, min: 1, max: 9, samples: [1] },
    { field: 'Open', kinds: ['boolean'], count: 3, samples: [true] },
    { field: 'Status', kinds: ['string'], count: 3, samples: ['open'] },
    { field: 'address', kinds: ['object'], count: 1, samples: [] },
  ],
};
const open = { field: 'Status', op: '=', value: 'open' } as const;
const atFirst = viewOf({}, ticket);
const view = (changed: Partial<RecordView>): RecordView => ({ ...atFirst, ...changed });
const isAccepted = (params: FetchParams) =>
  CreateRun.safeParse({
    input_type: 'plan',
    plan: { title: 'x', steps: [{ kind: 'fetch', title: 'x', params }] },
  }).success;

test('at first a table has the fields of the type, by name', () => {
  expect(atFirst).toEqual({
    words: '',
    conditions: [],
    sorting: undefined,
    page: 0,
    columns: ['Amount', 'Open', 'Status'],
  });
  expect(paramsOf(atFirst, ticket)).toMatchObject({
    entity_types: ['ticket'],
    sort: 'name_asc',
    limit: 1000,
  });
});

test('an address keeps conditions, an order, columns, words and a page', () => {
  const query = {
    ...addressOf.conditions([open]),
    ...addressOf.sorting('Amount', true),
    ...addressOf.columns(['Status']),
    ...addressOf.words('late cable'),
    ...addressOf.page(2),
  };
  const given = Object.fromEntries(
    Object.entries(query).filter((pair): pair is [string, string] => !!pair[1]),
  );
  expect(viewOf(given, ticket)).toEqual({
    words: 'late cable',
    conditions: [open],
    sorting: { column: 'Amount', descending: true },
    page: 2,
    columns: ['Status'],
  });
});

test.each<Query>([
  { where: '{' },
  { where: '[{"field":"a"}]' },
  { where: '[{"field":"a","op":"constructor","value":1}]' },
  { columns: '7', page: 'x' },
  { page: '-3' },
])('what an address says in no known form is as at first: %j', (query) => {
  expect(viewOf(query, ticket)).toEqual(atFirst);
});

test('every word is in the name or in a text, and all conditions are met', () => {
  const of = (value: string) => ({
    or: ['name', 'Status'].map((field) => ({ field, op: 'contains', value })),
  });
  expect(whereOf(view({ words: 'late cable', conditions: [open] }), ticket)).toEqual({
    and: [open, of('late'), of('cable')],
  });
  expect(whereOf(view({ words: 'a b c d e' }), ticket)).toEqual(of('a b c d e'));
  expect(whereOf(atFirst, ticket)).toBeUndefined();
});

test('the service accepts what the largest search under the most conditions asks for', () => {
  const wide: EntityType = {
    ...ticket,
    fields: Array.from({ length: 80 }, (_, at) => ({
      field: `field ${at}`,
      kinds: ['string'],
      count: 1,
      samples: [],
    })),
  };
  const largest = view({ words: 'one two three four', conditions: Array.from({ length: 10 }, () => open) });
  expect(isAccepted(paramsOf(largest, wide))).toBe(true);
  expect(isAccepted(paramsOf(view({ words: 'x'.repeat(500) }), ticket))).toBe(true);
});

test('a page past the first thousand records asks for more of them', () => {
  expect(paramsOf(view({ page: 19 }), ticket).limit).toBe(1000);
  expect(paramsOf(view({ page: 20 }), ticket).limit).toBe(10_000);
});

test('of long records no more is asked for than the page shows', () => {
  const { limit, fields, sort } = pageParamsOf(view({ page: 2, columns: ['Status'] }), ticket);
  expect({ limit, fields, sort }).toEqual({ limit: 150, fields: ['Status'], sort: 'name_asc' });
});

test.each([
  ['Amount', '>', '12.5', 12.5],
  ['Amount', 'in', '1, 2', [1, 2]],
  ['Status', '=', '12', '12'],
  ['Status', 'in', 'open, 7', ['open', '7']],
  ['Open', '=', 'true', true],
  ['Status', 'contains', 'true', 'true'],
  ['Status', 'exists', 'no', false],
  ['name', '=', '0815 x', '0815 x'],
] as const)('a value is of the kind of its field: %s %s %s', (field, op, text, value) => {
  expect(conditionOf(field, op, text, ticket)).toEqual({ field, op, value });
});

test('conditions are said in words', () => {
  expect(conditionText(open)).toBe('Status is open');
  expect(conditionText({ field: 'Status', op: 'exists', value: false })).toBe('Status is not there');
  expect(titleOf(view({ words: 'cable', conditions: [open] }), ticket)).toBe(
    'ticket, Status is open, with “cable”',
  );
});

test('a question about the records is a plan with their conditions that the service accepts', () => {
  const asked = askAbout(
    view({ conditions: [open], sorting: { column: 'Amount', descending: true } }),
    ticket,
  );
  expect(asked).toMatchObject({
    plan: {
      title: 'About ticket, Status is open',
      steps: [
        {
          kind: 'fetch',
          params: { entity_types: ['ticket'], where: open, sort: [{ field: 'Amount', direction: 'desc' }] },
        },
        { kind: 'analyze' },
        { kind: 'reconstitute' },
      ],
    },
  });
  expect(CreateRun.safeParse(asked).success).toBe(true);
});
