// rules.md: sources 11.
import { describe, expect, test } from 'vitest';
import type { DescribedSource } from '#contract/live-sources.ts';
import { namedSources, withoutUnnamed } from '#domain/planning/named-sources.ts';

const source = (name: string, entity_type: string, description: string): DescribedSource => ({
  name,
  kind: 'http',
  description,
  entity_type,
  fields: [],
});
const sources = [
  source('crm', 'deal', 'Open deals of the sales team'),
  source('help-desk', 'support ticket', ''),
  source('payroll', 'payroll', 'Current salaries, as of today'),
];
const namedIn = (query: string) => namedSources(query, sources).map(({ name }) => name);

describe('a query names a source', () => {
  test.each([
    ['by its name', 'What is new in CRM?', ['crm']],
    ['by a name in several words', 'What is new in the help desk?', ['help-desk']],
    ['by its entity type', 'Which support tickets are urgent?', ['help-desk']],
    ['by a noun of its description', "List everybody's salary", ['payroll']],
    ['of several, each by its own words', 'Compare deals with salaries', ['crm', 'payroll']],
  ])('%s', (_, query, names) => expect(namedIn(query)).toEqual(names));

  test.each([
    ['words of asking', 'Show the open and the current ones, as of today'],
    ['a part of its name or type', 'Which desk, and whose support?'],
    ['a word within another one', 'Companies with a crmx'],
  ])('but not by %s', (_, query) => expect(namedIn(query)).toEqual([]));
});

test('in a plan, the name of a source that the query does not name is a record type', () => {
  const step = { kind: 'fetch' as const, title: 'Fetch' };
  const planned = withoutUnnamed(
    [
      { ...step, params: { source: 'payroll', query: 'secret' } },
      { ...step, params: { source: 'payroll', entity_types: ['person'] } },
      { ...step, params: { source: 'crm' } },
      { ...step, params: {} },
    ],
    new Set(['payroll', 'help-desk']),
  );
  expect(planned.map(({ params }) => params)).toEqual([
    { source: 'entities', entity_types: ['payroll'], query: 'secret' },
    { source: 'entities', entity_types: ['person'] },
    { source: 'crm' },
    {},
  ]);
});
