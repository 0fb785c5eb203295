// rules.md: reads 8. A plan in words: what a person reads of how a query was understood.
import { expect, test } from 'vitest';
import { type operators, sortWords, type Where } from '#contract/conditions.ts';
import type { Plan, PlanStep } from '#contract/plans.ts';
import { stepKinds } from '#contract/steps.ts';
import { planInWords } from '#domain/runs/plan-in-words.ts';
import { stepExamples } from '../../../../functions/contract/document/step-examples.ts';

const words = (...steps: PlanStep[]) => planInWords({ title: 'T', steps } satisfies Plan);
const fetched = (params: NonNullable<Extract<PlanStep, { kind: 'fetch' }>['params']>) =>
  words({ kind: 'fetch', title: 'F', params });
const where = (condition: Where) => fetched({ entity_types: ['order'], where: condition });

const conditions: Record<(typeof operators)[number], [Where, string]> = {
  '=': [{ field: 'shipping.country', op: '=', value: 'Norway' }, 'shipping.country is "Norway"'],
  '!=': [{ field: 'gift', op: '!=', value: true }, 'gift is not true'],
  '<': [{ field: 'total', op: '<', value: 5000 }, 'total is less than 5000'],
  '<=': [{ field: 'total', op: '<=', value: 5000 }, 'total is at most 5000'],
  '>': [{ field: 'total', op: '>', value: 5000 }, 'total is more than 5000'],
  '>=': [{ field: 'at', op: '>=', value: '2025-01-01' }, 'at is at least "2025-01-01"'],
  in: [{ field: 'tag', op: 'in', value: ['a', 'b', 3] }, 'tag is one of "a", "b" or 3'],
  contains: [{ field: 'note', op: 'contains', value: 'x' }, 'note contains "x"'],
  starts_with: [{ field: 'name', op: 'starts_with', value: 'x' }, 'name starts with "x"'],
  exists: [{ field: 'note', op: 'exists', value: false }, 'note has no value'],
};

test.each(Object.entries(conditions))('%s has a phrase', (_, [condition, phrase]) => {
  expect(where(condition)).toBe(`order where ${phrase}`);
});

test('and, or and not read as they group', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((field): Where => ({ field, op: '=', value: 1 }));
  if (!a || !b || !c) throw new Error('three conditions');
  expect(where({ and: [a, { or: [b, c] }] })).toBe('order where a is 1 and (b is 1 or c is 1)');
  expect(where({ not: { and: [a, b] } })).toBe('order where not (a is 1 and b is 1)');
});

test('groups by periods and steps say so', () => {
  const group_by = ['city', { field: 'at', by: 'week' as const }, { field: 'total', by: { width: 20 } }];
  expect(fetched({ entity_types: ['order'], group_by })).toBe(
    'number of order by city, week of at and total in steps of 20',
  );
});

test('a condition that any number meets shows no bound', () => {
  const lowest: Where = { field: 'rating', op: '>=', value: -Number.MAX_VALUE };
  const highest: Where = { field: 'rating', op: '<=', value: Number.MAX_VALUE };
  for (const condition of [lowest, highest]) expect(where(condition)).toBe('order where rating is a number');
});

test('order and limit', () => {
  const sort = [{ field: 'total', direction: 'desc' as const }, { field: 'at' }];
  expect(fetched({ entity_types: ['order'], sort, limit: 5 })).toBe(
    'order, highest total first then lowest at first, at most 5',
  );
  for (const word of sortWords) expect(fetched({ sort: word })).toMatch(/^all records, \w/);
});

test('groups', () => {
  const measures = [
    { as: 'n', op: 'count' as const },
    { as: 's', op: 'sum' as const, field: 'total' },
  ];
  expect(fetched({ entity_types: ['order'], group_by: ['city', 'year'], measures, limit: 3 })).toBe(
    'number and sum total of order by city and year, at most 3 groups',
  );
  expect(
    fetched({ entity_types: ['order'], measures: [{ as: 'a', op: 'avg', field: 'total' }], limit: 1 }),
  ).toBe('average total of order');
});

test('every kind of step but the one that only writes has a phrase', () => {
  for (const kind of stepKinds) {
    const phrase = words(stepExamples[kind]);
    if (kind === 'reconstitute') expect(phrase).toBe('');
    else expect(phrase).toMatch(/\w/);
  }
  expect(words(stepExamples.inject_context, stepExamples.discover)).toBe(
    'a given record and a given text; then person related to them',
  );
});

test('it has at most 500 characters', () => {
  const value = 'x'.repeat(200);
  expect(
    where({ and: Array.from({ length: 10 }, () => ({ field: 'a', op: '=' as const, value })) }),
  ).toHaveLength(500);
});
