// The oracle of the questions: a load-bearing word that a plan has lost is found, one that it has is not.
import { expect, test } from 'vitest';
import type { Where } from '#contract/conditions.ts';
import type { FetchParams } from '#domain/evaluation/records-to-ask.ts';
import { knownOf } from '../../proofs/questions/oracle/known.ts';
import { lost } from '../../proofs/questions/oracle/oracle.ts';

const known = knownOf([
  {
    type: 'company',
    name: 'Nord',
    fields: {
      city: 'Berlin',
      state: 'OR',
      revenue: 12,
      employees: 90,
      share: 0.5,
      founded: '2010-01-01',
      total: 3,
    },
  },
  { type: 'person', name: 'Lena', fields: { city: 'Rome', state: 'WA', rating: 'Not Rated' } },
]);
const where = (field: string, op: '=' | '<' | '>' | '>=' | '<=', value: string | number): Where =>
  op === '=' ? { field, op, value } : { field, op, value };
const companies = (params: FetchParams): FetchParams => ({ entity_types: ['company'], ...params });
const lostIn = (question: string, params: FetchParams, words: string[] = []) =>
  lost(question, { params: companies(params), names: [], words, today: '2026-06-15' }, known);

test.each<[string, FetchParams]>([
  ['Companies with a revenue of -9', { where: where('revenue', '=', 9) }],
  ['Companies with a revenue below −10', { where: where('revenue', '<', 10) }],
  ['Companies with more than 100 employees', {}],
  ['Companies with more than 100 employees', { where: where('employees', '<', 100) }],
  [
    'Companies with more than 100 but fewer than 500 employees',
    { where: { and: [where('revenue', '>', 100), where('employees', '<', 500)] } },
  ],
  ['Companies that are not in Berlin', { where: where('city', '=', 'Berlin') }],
  ['All but the top 3 companies', { sort: [{ field: 'revenue', direction: 'desc' }], limit: 3 }],
  ['Smallest company by revenue', { sort: [{ field: 'revenue', direction: 'desc' }], limit: 1 }],
  ['The largest and the smallest company', { sort: [{ field: 'revenue', direction: 'desc' }], limit: 1 }],
  ['The second largest company', { sort: [{ field: 'revenue', direction: 'desc' }], limit: 1 }],
  ['Top 10% of companies', { sort: [{ field: 'revenue', direction: 'desc' }], limit: 10 }],
  ['Average revenue of the top 5 companies', { measures: [{ as: 'a', op: 'avg', field: 'revenue' }] }],
  ['Companies from 2010', { where: where('founded', '>=', '2010') }],
  ['Companies founded last year', {}],
  [
    'Companies founded by 2010-05-31',
    { where: { and: [where('founded', '>=', '2010-05-31'), where('founded', '<', '2010-06')] } },
  ],
  ['Companies in WA or OR', { where: where('state', '=', 'WA') }],
  ['Companies with a share over 10%', { where: where('share', '>', 10) }],
  ['Companies with people named Lena', { where: where('name', '=', 'Lena') }],
  ['Companies with two offices', {}],
  [
    'Companies in Berlin and Rome',
    { where: { and: [where('city', '=', 'Berlin'), where('city', '=', 'Rome')] } },
  ],
])('a lost word is found: %s %j', (question, params) => {
  expect(lostIn(question, params)).not.toEqual([]);
});

test.each<[string, FetchParams]>([
  ['Companies with a revenue of -9', { where: where('revenue', '=', -9) }],
  [
    'Companies with a revenue between 10 and 20',
    { where: { and: [where('revenue', '>=', 10), where('revenue', '<=', 20)] } },
  ],
  [
    'Companies with a revenue of 10-20',
    { where: { and: [where('revenue', '>=', 10), where('revenue', '<=', 20)] } },
  ],
  ['Companies with no more than 5,000 employees', { where: where('employees', '<=', 5000) }],
  ['Companies that are not in Berlin', { where: { not: where('city', '=', 'Berlin') } }],
  ['Companies rated Not Rated', { where: where('rating', '=', 'Not Rated') }],
  ['Companies founded before 2010', { where: where('founded', '<', '2010') }],
  ['Companies older than 10 years', { where: where('founded', '<', '2016-06-15') }],
  ['The 3 smallest companies by revenue', { sort: [{ field: 'revenue', direction: 'asc' }], limit: 3 }],
  ['Companies with a share over 10%', { where: where('share', '>', 0.1) }],
  ['Companies with a total over 5', { where: where('total', '>', 5) }],
  ['Companies in WA or OR', { where: { or: [where('state', '=', 'WA'), where('state', '=', 'OR')] } }],
])('a plan that has every word has lost none: %s %j', (question, params) => {
  expect(lostIn(question, params)).toEqual([]);
});

test('a word that was named is not lost', () => {
  expect(
    lostIn('The second largest company', { sort: [{ field: 'revenue', direction: 'desc' }], limit: 1 }, [
      'second',
    ]),
  ).toEqual([]);
  expect(lostIn('Companies with two offices', {}, ['two', 'offices'])).toEqual([]);
});
