// The siblings of those kinds, asked of the same business.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Company, companies, type Order, orders, people } from '../kinds/business.ts';

const company = truthsOver(companies);
const order = truthsOver(orders);
const person = truthsOver(people);
const isOn = (start: string) => (one: Order) => one.ordered_on.startsWith(start);
const hasStatus = (status: string) => (one: Order) => one.status === status;
const isIn = (city: string) => (one: Company) => one.city === city;

const asked: readonly Asked[] = [
  [
    'negative number',
    'open orders with a balance under -75',
    order.list((one) => hasStatus('open')(one) && one.balance < -75),
  ],
  [
    'negative number',
    'Orders with a balance between -30 and 30',
    order.list((one) => one.balance >= -30 && one.balance <= 30),
  ],
  ['negative number', 'companies with a negative margin', company.list((one) => one.margin < 0)],
  ['unit', 'companies with a margin of at least 20%', company.list((one) => one.margin >= 0.2)],
  ['date', 'Orders from Q4 2025', order.list((one) => /^2025-1[012]/.test(one.ordered_on))],
  ['date', 'Orders from last month', order.list(isOn('2026-05'))],
  ['date', 'Companies from the 1980s', company.list((one) => one.founded >= 1980 && one.founded < 1990)],
  ['date', 'Companies founded by 1980', [company.list((one) => one.founded <= 1980)]],
  ['date', 'Orders of 02.06.2026', order.list(isOn('2026-06-02'))],
  ['date', 'Orders placed in October or November', order.list((one) => /^2025-1[01]/.test(one.ordered_on))],
  [
    'date',
    'paid orders since the beginning of 2026',
    order.list((one) => hasStatus('paid')(one) && one.ordered_on >= '2026'),
  ],
  ['date', 'Companies founded no later than 1975', company.list((one) => one.founded <= 1975)],
  [
    'bounds',
    'companies with over 50 but not more than 300 employees',
    company.list((one) => one.employees > 50 && one.employees <= 300),
  ],
  [
    'bounds',
    'companies with a revenue and employees over 500',
    company.list((one) => one.revenue_musd > 500 && one.employees > 500),
  ],
  [
    'bounds',
    'Companies with 100 to 500 employees',
    company.list((one) => one.employees >= 100 && one.employees <= 500),
  ],
  [
    'having',
    'Industries with fewer than 20 companies',
    company.groups(
      (one) => one.industry,
      (same) => same.length,
      (one) => companies.filter(({ industry }) => industry === one.industry).length < 20,
    ),
  ],
  [
    'having',
    'Customers with more than 4 orders',
    order.groups(
      (one) => one.customer,
      (same) => same.length,
      (one) => orders.filter(({ customer }) => customer === one.customer).length > 4,
    ),
  ],
  ['measure of the first', 'Average revenue of the 3 smallest companies', 'Average|3|smallest'],
  ['measure of the first', 'Total of the 10 newest orders', 'Total|10|newest'],
  ['rank', 'Everything but the 2 newest companies', 'but|Everything'],
  ['rank', 'The bottom 20 percent of companies by employees', '20|percent|bottom'],
  ['rank', '3rd largest company by employees', '3rd'],
  ['best of each', 'Largest company per country by revenue', 'Largest|per'],
  ['measure', 'Sum of cancelled orders', [order.measure('sum', (one) => one.total, hasStatus('cancelled'))]],
  ['measure', 'average total of open orders', order.measure('avg', (one) => one.total, hasStatus('open'))],
  ['name', 'Order number 1003', order.list((one) => one.name === '1003')],
  ['name', 'order 1010', order.list((one) => one.name === '1010')],
  ['relation', 'Engineers at companies in Oslo', 'engineers|companies|Oslo|at'],
  ['relation', 'People and their companies', 'their|companies'],
  ['relation', 'orders of customers in Rome', 'Rome|customers'],
  ['relation', 'companies without orders', 'orders|without'],
  ['name', 'companies with line in their name', company.list((one) => one.name.includes('line'))],
  ['approximate', 'companies with about 500 employees', 'about|500'],
  [
    'not',
    'companies in neither Berlin nor Rome',
    company.list((one) => !['Berlin', 'Rome'].includes(one.city)),
  ],
  ['not', 'orders that are not paid and not cancelled', order.list(hasStatus('open'))],
  ['not', 'public companies outside Germany', company.list((one) => one.public && one.country !== 'Germany')],
  [
    'or',
    'companies in Oslo or with more than 1400 employees',
    company.list((one) => isIn('Oslo')(one) || one.employees > 1400),
  ],
  ['top', 'oldest companies first', company.bottom(1000, (one) => one.founded)],
  ['top', 'people from youngest to oldest', person.bottom(1000, (one) => one.age)],
  ['group', 'number of orders per status', order.groups((one) => one.status)],
  [
    'group',
    'average employees of public companies by country',
    company.groups(
      (one) => one.country,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.employees),
        ),
      (one) => one.public,
    ),
  ],
  ['list', 'only open orders', order.list(hasStatus('open'))],
  ['unknown', 'companies that pay well', 'pay|well'],
  ['relation', 'companies with more employees than revenue', 'than|revenue'],
];

export const businessHeldOut: Vocabulary = {
  name: 'business',
  rows: [...rowsOf('company', companies), ...rowsOf('person', people), ...rowsOf('order', orders)],
  asked,
};
