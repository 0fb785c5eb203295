// rules.md: query 10. Questions for groups: by periods of dates, by the kinds of a type, of values that are compared.
import { describe, expect, test } from 'vitest';
import { Plan } from '#contract/plans.ts';
import { recordsToAsk } from '#domain/evaluation/records-to-ask.ts';
import type { Row } from '#domain/evaluation/truth.ts';
import { planInWords } from '#domain/runs/plan-in-words.ts';
import { loadBearing } from '#models/load-bearing.ts';
import { plan } from '#models/offline/plan.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { understand } from '#models/offline/understand.ts';

const dayOf = (i: number) => new Date(Date.UTC(2025, 0, 1 + i * 5)).toISOString();
const of = (type: string, count: number, fieldsOf: (i: number) => Row['fields']): Row[] =>
  Array.from({ length: count }, (_, i) => ({ type, name: `${type} ${i}`, fields: fieldsOf(i) }));
const pick = (i: number, ...all: string[]) => all[i % all.length] ?? '';

const rows: Row[] = [
  ...of('ticket', 60, (i) => ({
    ...{ 'Ticket ID': `T-${i}`, Status: pick(i, 'Open', 'Pending', 'Closed'), 'Amount (EUR)': i * 2.5 },
    ...{ Category: pick(i, 'Laptop', 'Phone'), Created: dayOf(i).slice(0, 10), assignee: `Agent ${i % 30}` },
  })),
  ...of('customer', 30, (i) => ({
    segment: pick(i, 'business', 'private'),
    signup_date: dayOf(i).slice(0, 10),
  })),
  ...of('order', 30, (i) => ({
    total: i * 11,
    ordered_at: dayOf(i),
    shipped_at: dayOf(i + 1),
    paid: i % 2 === 0,
  })),
  ...of('report', 9, (i) => ({ month: i + 1, filed: `2025-0${i + 1}` })),
  ...of('parcel', 9, (i) => ({ sent_at: dayOf(i), received_at: dayOf(i + 2) })),
  ...of('vessel', 9, (i) => ({ built_year: 1990 + i })),
];
const { known } = recordsToAsk(rows);
const types = [...new Set(rows.map(({ type }) => type))];

/** What a query is read as; null where it is refused, and the words that are not understood. */
function read(query: string): { as: string | null; words: string[] } {
  const asked = { query, ...known(query) };
  const verdict = understand({ ...asked, strict_mode: true }, readTriggers('').triggers);
  const words = verdict.not_understood;
  const isRefused = verdict.verdict !== 'clear' || loadBearing(words, types).length > 0;
  return { words, as: isRefused ? null : planInWords(Plan.parse(plan({ ...asked, interpretation: '' }))) };
}

const inTime = (group: string, field: string) => `number of ${group} of ${field}, lowest ${field} first`;

describe('periods', () => {
  test.each([
    ['tickets per month', inTime('ticket by month', 'Created')],
    ['How many tickets per week?', inTime('ticket by week', 'Created')],
    ['tickets by calendar quarter', inTime('ticket by quarter', 'Created')],
    ['tickets per month and week', inTime('ticket by week', 'Created')],
    ['tickets by month by status', 'number of ticket by month of Created and Status, lowest Created first'],
    [
      'total amount of tickets by year',
      'sum Amount (EUR) of ticket by year of Created, lowest Created first',
    ],
    ['orders shipped per month', inTime('order by month', 'shipped_at')],
    ['orders by ordered month', inTime('order by month', 'ordered_at')],
    ['orders per month of ordering', inTime('order by month', 'ordered_at')],
    ['vessels per year', 'number of vessel by built_year, lowest built_year first'],
    ['reports per month', 'number of report by month'],
    [
      'Which month has the most tickets?',
      'number of ticket by month of Created, highest count first, at most 1 groups',
    ],
    [
      'quarter with the lowest average amount of tickets',
      'average Amount (EUR) of ticket by quarter of Created, lowest average Amount (EUR) first, at most 1 groups',
    ],
    [
      'tickets per day in May 2025',
      'number of ticket where Created is at least "2025-05" and Created is less than "2025-06" by day of Created, lowest Created first',
    ],
  ])('%s', (query, as) => {
    const found = read(query);
    expect(found.words).toEqual([]);
    expect(found.as?.replace(' where shipped_at has a value', '')).toBe(as);
  });

  test.each([
    ['of two dates', 'parcels per month'],
    ['of years', 'vessels per month'],
    ['of texts that are months', 'reports per filed year'],
    ['that is none', 'tickets by day of the week'],
    ['whose last records are asked for', 'newest tickets per month'],
  ])('a period %s is refused', (_, query) => {
    expect(read(query).as).toBeNull();
  });
});

describe('kinds', () => {
  test.each([
    ['Tickets by status', 'number of ticket by Status'],
    ['all customers by segment', 'number of customer by segment'],
    ['orders by paid', 'number of order by paid'],
    ['list tickets by status', 'ticket, lowest Status first'],
    ['tickets by assignee', 'ticket, lowest assignee first'],
    ['tickets by amount', 'ticket, highest Amount (EUR) first'],
    ['number of customers by signup date', 'number of customer by signup_date'],
    [
      'Compare laptops and phones by total amount',
      'sum Amount (EUR) of ticket where Category is one of "Laptop" or "Phone" by Category',
    ],
  ])('%s', (query, as) => {
    expect(read(query)).toEqual({ words: [], as });
  });
});

test.each(['customers who signed up in 2025', 'How many customers signed up in 2025?'])('%s', (query) => {
  const { words, as } = read(query);
  expect(words).toEqual([]);
  expect(as).toMatch(/customer where signup_date is at least "2025" and signup_date is less than "2026"$/);
});
