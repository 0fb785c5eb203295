// Kinds of questions that once were answered wrongly without a word, asked of a small business.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Company, companies, type Order, orders, people } from '../kinds/business.ts';

const company = truthsOver(companies);
const order = truthsOver(orders);
const person = truthsOver(people);
const isOn = (start: string) => (one: Order) => one.ordered_on.startsWith(start);
const hasStatus = (status: string) => (one: Order) => one.status === status;
const isIn = (city: string) => (one: Company) => one.city === city;

const asked: readonly Asked[] = [
  ['negative number', 'Orders with a balance below -10', order.list((one) => one.balance < -10)],
  ['negative number', 'orders with a balance of at most −50', order.list((one) => one.balance <= -50)],
  ['negative number', 'companies with a margin below -5%', company.list((one) => one.margin < -0.05)],
  ['date', 'Orders from 2025', order.list(isOn('2025'))],
  ['date', 'Orders from June 2026', order.list(isOn('2026-06'))],
  ['date', 'Orders from last year', order.list(isOn('2025'))],
  ['date', 'Companies from the nineties', company.list((one) => one.founded >= 1990 && one.founded < 2000)],
  ['date', 'Companies founded in 2010 and 2011', company.list((one) => [2010, 2011].includes(one.founded))],
  ['date', 'Orders in May and June 2026', order.list((one) => /^2026-0[56]/.test(one.ordered_on))],
  ['date', 'Orders by 2025-05-31', order.list((one) => one.ordered_on <= '2025-05-31')],
  ['date', 'Companies founded in or after 2010', company.list((one) => one.founded >= 2010)],
  ['date', 'Orders in March', order.list(isOn('2026-03'))],
  [
    'bounds',
    'Companies with more than 100 but fewer than 500 employees',
    company.list((one) => one.employees > 100 && one.employees < 500),
  ],
  [
    'bounds',
    'Companies that have at least 100 and at most 500 employees',
    company.list((one) => one.employees >= 100 && one.employees <= 500),
  ],
  [
    'having',
    'Cities with at least 12 companies',
    company.groups(
      (one) => one.city,
      (same) => same.length,
      (one) => companies.filter(isIn(one.city)).length >= 12,
    ),
  ],
  [
    'group',
    'average total of orders by status excluding cancelled',
    order.groups(
      (one) => one.status,
      (same) =>
        measured(
          'avg',
          same.map(({ total }) => total),
        ),
      (one) => one.status !== 'cancelled',
    ),
  ],
  [
    'bounds',
    'companies with an employee count over 100 and a margin below -5%',
    company.list((one) => one.employees > 100 && one.margin < -0.05),
  ],
  [
    'bounds',
    'companies with over 100 employees and a revenue over 50',
    company.list((one) => one.employees > 100 && one.revenue_musd > 50),
  ],
  ['or', 'companies in Berlin with over 100 employees or revenue over 500', 'or'],
  ['measure', 'most companies', 'most'],
  ['best of each', 'the 3 largest companies by industry', '3|largest|by'],
  ['measure of the first', 'Average revenue of the top 5 companies', 'Average|top|5'],
  ['rank', 'Companies ranked 5 to 10 by revenue', 'ranked|5|10'],
  ['rank', 'Top 10% of companies by revenue', '10%|10|%|Top'],
  ['rank', 'All but the top 3 companies by revenue', 'but|All'],
  ['best of each', 'Oldest company in each city', 'Oldest|each'],
  ['measure', 'Total of paid orders', order.measure('sum', (one) => one.total, hasStatus('paid'))],
  ['measure', 'Total of orders in June 2026', order.measure('sum', (one) => one.total, isOn('2026-06'))],
  ['name', 'Orders 1003 and 1004', order.list((one) => ['1003', '1004'].includes(one.name))],
  ['relation', 'People who work at companies founded after 2010', 'people|companies|founded|after|2010'],
  ['relation', 'Companies in Berlin and their people', 'their|people'],
  ['relation', 'Companies with people named Lena', 'people|named|Lena'],
  ['name', 'Companies with data in the name', company.list((one) => one.name.includes('data'))],
  ['approximate', 'Companies with revenue around 100', 'around'],
  ['not', 'Companies that are not in Berlin', company.list((one) => !isIn('Berlin')(one))],
  [
    'not',
    'companies other than those in Berlin or Oslo',
    company.list((one) => !['Berlin', 'Oslo'].includes(one.city)),
  ],
  [
    'top',
    'companies in Berlin, the largest revenue first',
    company.top(1000, (one) => one.revenue_musd, isIn('Berlin')),
  ],
  ['top', 'The company with the second highest revenue', 'second'],
  [
    'group',
    'average revenue of companies by industry',
    company.groups(
      (one) => one.industry,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.revenue_musd),
        ),
    ),
  ],
  ['list', 'Only public companies', company.list((one) => one.public)],
  ['list', 'lawyers over 50', person.list((one) => one.role === 'lawyer' && one.age > 50)],
  ['relation', 'companies in the same city as Norddata 0', 'same'],
  ['relation', 'paid orders with a total over the average', 'average'],
  ['unknown', 'companies 10 km away from Berlin', 'away|km|10'],
];

export const businessAsked: Vocabulary = {
  name: 'business',
  rows: [...rowsOf('company', companies), ...rowsOf('person', people), ...rowsOf('order', orders)],
  asked,
};
