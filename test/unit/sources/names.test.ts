// Source names: fixed ones, and entity types in the singular or plural.
import { expect, test } from 'vitest';
import { fixedSource, sameType } from '#contract/source-names.ts';

test.each(['entities', 'notes', 'relationships', 'artifacts', 'global'] as const)(
  '%s is a fixed source',
  (name) => {
    expect(fixedSource(name)).toBe(name);
    expect(fixedSource(name.toUpperCase())).toBe(name);
  },
);

test('any other name is not a fixed source', () => {
  expect(fixedSource('company')).toBeUndefined();
});

test.each([
  ['company', 'companies'],
  ['Company', 'COMPANIES'],
  ['person', 'people'],
  ['person', 'persons'],
  ['survey', 'surveys'],
  ['address', 'addresses'],
  ['branch', 'branches'],
  ['tax', 'taxes'],
  ['deal', 'deals'],
  ['board_member', 'board members'],
  ['contact person', 'contact people'],
])('%s and %s mean one type, both ways', (singular, plural) => {
  expect(sameType(singular, plural)).toBe(true);
  expect(sameType(plural, singular)).toBe(true);
  expect(sameType(singular, singular)).toBe(true);
});

test.each([
  ['company', 'companys'],
  ['deal', 'dealer'],
  ['person', 'companies'],
])('%s and %s are two types', (left, right) => {
  expect(sameType(left, right)).toBe(false);
});
