// rules.md: sources 7. How the offline model reads a query that names a live source.
import { describe, expect, test } from 'vitest';
import type { Outline } from '#contract/record-queries.ts';
import { plan } from '#models/offline/plan.ts';
import { understand } from '#models/offline/understand.ts';

const triggers = { ambiguous: false } as Parameters<typeof understand>[1];
const shape: Outline = {
  types: [{ type: 'company', count: 3, fields: [{ path: 'city', kinds: ['text'], samples: ['Berlin'] }] }],
  sources: [
    {
      name: 'crm',
      kind: 'http',
      description: 'Deals of the sales team',
      entity_type: 'crm',
      fields: [
        { name: 'amount', kind: 'number' },
        { name: 'stage', kind: 'string' },
        { name: 'open', kind: 'boolean' },
      ],
    },
    { name: 'help-desk', kind: 'mcp', description: '', entity_type: 'ticket', fields: [] },
  ],
};
const known = { shape, values: [], candidates: [], today: '2026-11-20' };
const fetchOf = (query: string) => plan({ query, interpretation: '', ...known }).steps[0];
const verdictOf = (query: string) => understand({ query, strict_mode: true, ...known }, triggers);

describe('a query that names a source', () => {
  test.each([
    ['List the deals from crm', { source: 'crm', limit: 10_000 }],
    ['Which tickets are in the help desk?', { source: 'help-desk', limit: 10_000 }],
    [
      'Top 5 deals in CRM by amount',
      { source: 'crm', sort: [{ field: 'amount', direction: 'desc' }], limit: 5 },
    ],
    [
      'Deals from crm with an amount over 100',
      { source: 'crm', where: { field: 'amount', op: '>', value: 100 }, limit: 10_000 },
    ],
    ['How many deals are in crm?', { source: 'crm', measures: [{ as: 'count', op: 'count' }], limit: 1 }],
    [
      'How many deals from crm are there per stage?',
      { source: 'crm', group_by: ['stage'], measures: [{ as: 'count', op: 'count' }], limit: 10_000 },
    ],
    ['Acme deals from crm', { source: 'crm', query: 'Acme', limit: 10_000 }],
  ])('%s', (query, params) => {
    expect(fetchOf(query)).toMatchObject({ kind: 'fetch', params });
    expect(verdictOf(query)).toMatchObject({ verdict: 'clear', not_understood: [] });
  });
});

test('several words that no field says are named, and are in no step', () => {
  const query = 'Purple deals from crm for Timbuktu';
  expect(verdictOf(query)).toMatchObject({ verdict: 'clear', not_understood: ['Purple', 'Timbuktu'] });
  expect(fetchOf(query)?.params).not.toHaveProperty('query');
});

test('a query that names no source is about records', () => {
  expect(fetchOf('Companies in Berlin')?.params).toMatchObject({
    source: 'entities',
    entity_types: ['company'],
  });
  expect(fetchOf('Companies from crmx')?.params).toMatchObject({ source: 'entities' });
});
