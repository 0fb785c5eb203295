// The params of a step in words, and the plans that a workspace's own records suggest.
import { expect, test } from 'vitest';
import { fieldRows, fieldsOf } from '../../clients/console/view-models/outline.ts';
import { plansOf, queryOf } from '../../clients/console/view-models/plan-examples.ts';
import { paramText } from '../../clients/console/view-models/plan-text.ts';
import type { EntityType } from '../../clients/sdk/index.ts';
import { CreateRun } from '../../functions/contract/runs.ts';

test.each([
  ['source', 'products', 'Source', 'products'],
  ['limit', 20, 'Limit', '20'],
  ['steps_to_filter', [0, 2], 'Reads', 'step 1, step 3'],
  ['output_fields', ['a', 'b'], 'Output fields', 'a, b'],
  ['where', { field: 'total', op: '>', value: 5 }, 'Where', 'total > 5'],
  [
    'where',
    {
      and: [
        { field: 'a', op: 'in', value: ['x', 1] },
        { or: [{ not: { field: 'b', op: 'exists', value: true } }] },
      ],
    },
    'Where',
    'a in x, 1 and (not b exists true)',
  ],
  [
    'sort',
    [{ field: 'price', direction: 'desc' }, { field: 'name' }],
    'Sort',
    'price descending, name ascending',
  ],
  ['sort', 'newest', 'Sort', 'newest'],
  [
    'measures',
    [
      { as: 'n', op: 'count' },
      { as: 's', op: 'sum', field: 'price' },
    ],
    'Measures',
    'n = count, s = sum of price',
  ],
  ['entities', [{ external_uri: 'crm:a' }], 'Entities', 'crm:a'],
])('%s is read as people write it', (name, value, label, text) => {
  expect(paramText(name, value)).toEqual({ label, text });
});

const company: EntityType = {
  type: 'company',
  count: 40,
  fields: [
    { field: 'city', kinds: ['string'], count: 40, samples: ['Berlin', 'Oslo'] },
    { field: 'founded', kinds: ['number'], count: 10, min: 1989, max: 2021, samples: [1989] },
    { field: 'tags', kinds: ['list'], count: 3, samples: ['eco'] },
  ],
};
const bare: EntityType = { type: 'box', count: 1, fields: [] };

test('the examples for a workspace are valid plans about its own types and fields', () => {
  const plans = plansOf(company);
  expect(plans.map(({ plan }) => plan.title)).toEqual([
    ...['Companies with a condition', 'Number of companies by city', 'Companies that a model picks'],
  ]);
  expect(plans[0]?.plan.steps[0]?.params).toMatchObject({
    source: 'companies',
    where: { field: 'founded', op: '>', value: 2005 },
  });
  for (const body of [...plans, ...plansOf(bare)]) expect(CreateRun.safeParse(body).error).toBeUndefined();
  expect([queryOf(company), queryOf(bare)]).toEqual([
    ...['Top 5 companies by founded', 'How many boxes are there?'],
  ]);
});

test('fields are described by their kinds, how often they are filled, and their range', () => {
  expect(fieldRows(company)).toEqual([
    { field: 'city', kind: 'string', filled: '100 %', range: null, samples: ['Berlin', 'Oslo'] },
    { field: 'founded', kind: 'number', filled: '25 %', range: '1989 to 2021', samples: [1989] },
    { field: 'tags', kind: 'list', filled: '8 %', range: null, samples: ['eco'] },
  ]);
});

test('each end of a range is written alone, dates as dates', () => {
  const price = { field: 'price', kinds: ['number' as const], count: 2, min: 6.4, max: 520, samples: [] };
  const at = { field: 'at', kinds: ['date' as const], count: 2, min: '2025-12-31', max: 'x', samples: [] };
  expect(fieldRows({ type: 'order', count: 2, fields: [price, at] }).map(({ range }) => range)).toEqual([
    '6.4 to 520',
    'Dec 31, 2025 to x',
  ]);
});

test('a source in singular or plural offers the fields of its type, any other those of all types', () => {
  const types = [company, { ...bare, fields: [{ field: 'size', kinds: [], count: 1, samples: [] }] }];
  expect([fieldsOf(types, 'companies'), fieldsOf(types, 'Box'), fieldsOf(types, 'entities')]).toEqual([
    ['city', 'founded', 'tags'],
    ['size'],
    ['city', 'founded', 'tags', 'size'],
  ]);
});
