// A shop: products, customers and orders, with nested and list fields.
import type { DataSet, Question, Row } from '#domain/evaluation/truth.ts';
import { random } from '../random.ts';
import { at, has, number, text, truthsOf } from './truth.ts';

const CATEGORIES = ['Laptops', 'Phones', 'Headphones', 'Monitors', 'Keyboards'];
const BRANDS = ['Acer', 'Blue Fox', 'Corvid', 'Delphi'];
const TAGS = ['sale', 'eco', 'new arrival', 'refurbished'];
const CITIES: readonly [string, string][] = [
  ['Vienna', 'Austria'],
  ['Graz', 'Austria'],
  ['Oslo', 'Norway'],
  ['Bergen', 'Norway'],
  ['Berlin', 'Germany'],
  ['Porto', 'Portugal'],
];
const STATUSES = ['paid', 'shipped', 'returned', 'canceled'];

const day = (chance: ReturnType<typeof random>, from: number, days: number) =>
  new Date(Date.UTC(from, 0, 1) + chance.below(days * 86_400) * 1000).toISOString();

function rowsOf(seed: number): Row[] {
  const products = Array.from({ length: 600 }, (_, i): Row => {
    const chance = random(seed, i);
    return {
      type: 'product',
      name: `Product ${i}`,
      fields: {
        category: chance.pick(CATEGORIES),
        brand: chance.pick(BRANDS),
        price: Math.round((10 + chance.below(300_000) / 100 + i / 1000) * 1000) / 1000,
        stock: chance.chance(0.05) ? 0 : 1 + chance.below(200),
        discontinued: chance.chance(0.2),
        tags: TAGS.filter(() => chance.chance(0.3)),
        weight_kg: Math.round(chance.below(1000) * 1000 + i) / 10_000,
        ...(chance.chance(0.9) && {
          rating: Math.round((1 + chance.below(400) / 100) * 10_000 + i) / 10_000,
        }),
        launched: 2010 + chance.below(15),
      },
    };
  });
  const customers = Array.from({ length: 900 }, (_, i): Row => {
    const chance = random(seed + 1, i);
    const [city, country] = chance.pick(CITIES);
    return {
      type: 'customer',
      name: `Customer ${i}`,
      fields: {
        address: { city, country },
        segment: chance.pick(['business', 'private']),
        wants_newsletter: chance.chance(0.5),
        joined: day(chance, 2019, 2500).slice(0, 10),
        ...(chance.chance(0.8) && { email: `c${i}@example.com` }),
        credit_limit: chance.below(500) * 10 + i / 1000,
      },
    };
  });
  const orders = Array.from({ length: 1500 }, (_, i): Row => {
    const chance = random(seed + 2, i);
    const [city, country] = chance.pick(CITIES);
    const ordered_at = day(chance, 2023, 1200);
    return {
      type: 'order',
      name: `Order ${i}`,
      fields: {
        customer: `Customer ${chance.below(900)}`,
        status: chance.pick(STATUSES),
        total: Math.round(chance.below(900_000) + 100) / 100 + i / 100_000,
        items: 1 + chance.below(9),
        discount: chance.chance(0.7) ? 0 : 5 + chance.below(20),
        ordered_at,
        shipping: { city, country, method: chance.pick(['express', 'standard', 'pickup']) },
        payment: { method: chance.pick(['card', 'invoice', 'PayPal']) },
      },
    };
  });
  return [...products, ...customers, ...orders];
}

function questionsOn(rows: Row[]): Question[] {
  const product = truthsOf(rows, 'product');
  const customer = truthsOf(rows, 'customer');
  const order = truthsOf(rows, 'order');
  const category = (name: string) => (row: Row) => text(row, 'category') === name;
  const city = (name: string) => (row: Row) => text(row, 'address.city') === name;
  const date = (row: Row) => text(row, 'ordered_at');
  return [
    ['How many products are there?', product.count()],
    ['List all laptops', product.list(category('Laptops'))],
    ['Which products are out of stock?', product.list((row) => number(row, 'stock') === 0)],
    ['laptops over 2000', product.list((row) => category('Laptops')(row) && number(row, 'price') > 2000)],
    [
      'Which phones cost less than 300 EUR?',
      product.list((row) => category('Phones')(row) && number(row, 'price') < 300),
    ],
    [
      'products tagged sale with a rating above 4.5',
      product.list((row) => has(row, 'tags', 'sale') && number(row, 'rating') > 4.5),
    ],
    ['products with the tag eco', product.list((row) => has(row, 'tags', 'eco'))],
    [
      'products tagged sale and eco',
      product.list((row) => has(row, 'tags', 'sale') && has(row, 'tags', 'eco')),
    ],
    [
      'products tagged eco or refurbished',
      product.list((row) => has(row, 'tags', 'eco') || has(row, 'tags', 'refurbished')),
    ],
    ['products tagged new arrival', product.list((row) => has(row, 'tags', 'new arrival'))],
    [
      'What is the cheapest phone that is not discontinued?',
      product.top(1, 'price', 'asc', (row) => category('Phones')(row) && at(row, 'discontinued') === false),
    ],
    ['the 5 most expensive monitors', product.top(5, 'price', 'desc', category('Monitors'))],
    [
      '3 cheapest Blue Fox products',
      product.top(3, 'price', 'asc', (row) => text(row, 'brand') === 'Blue Fox'),
    ],
    ['Top 10 products by rating', product.top(10, 'rating')],
    ['Which product has the highest rating?', product.top(1, 'rating')],
    ['heaviest product', product.top(1, 'weight_kg')],
    ['5 best rated headphones', product.top(5, 'rating', 'desc', category('Headphones'))],
    ['products lighter than 2 kg', product.list((row) => number(row, 'weight_kg') < 2)],
    ['products over 90 kg', product.list((row) => number(row, 'weight_kg') > 90)],
    ['products lighter than 500 g', product.list((row) => number(row, 'weight_kg') < 0.5)],
    ['discontinued products', product.list((row) => at(row, 'discontinued') === true)],
    ['How many products are not discontinued?', product.count((row) => at(row, 'discontinued') === false)],
    ['products launched before 2012', product.list((row) => number(row, 'launched') < 2012)],
    ['products launched in 2020 or later', product.list((row) => number(row, 'launched') >= 2020)],
    [
      'products launched between 2015 and 2017',
      product.list((row) => number(row, 'launched') >= 2015 && number(row, 'launched') <= 2017),
    ],
    [
      'products priced between 100 and 200',
      product.list((row) => number(row, 'price') >= 100 && number(row, 'price') <= 200),
    ],
    [
      'products from 1k to 2k',
      product.list((row) => number(row, 'price') >= 1000 && number(row, 'price') <= 2000),
    ],
    ['products without a rating', product.list((row) => at(row, 'rating') === undefined)],
    ['Average price per category', product.groups('category', 'avg', 'price')],
    ['What is the average price of laptops?', product.measure('avg', 'price', category('Laptops'))],
    ['average and maximum price per brand', product.groups('brand', 'max', 'price')],
    [
      'Which category has the highest average price?',
      product.groups('category', 'avg', 'price', () => true, { limit: 1 }),
    ],
    ['How many products per brand?', product.groups('brand')],
    ['number of products by category', product.groups('category')],
    ['Which brands do we have?', product.values('brand')],
    ['How many different brands are there?', { kind: 'number', number: BRANDS.length }],
    ['total stock of keyboards', product.measure('sum', 'stock', category('Keyboards'))],
    ['What is the highest price?', product.measure('max', 'price')],
    [
      'products that are neither Acer nor Corvid',
      product.list((row) => !['Acer', 'Corvid'].includes(text(row, 'brand'))),
    ],
    ['laptops except Acer', product.list((row) => category('Laptops')(row) && text(row, 'brand') !== 'Acer')],
    [
      'phones or monitors under 100',
      product.list(
        (row) => ['Phones', 'Monitors'].includes(text(row, 'category')) && number(row, 'price') < 100,
      ),
    ],
    ['How many customers live in Vienna?', customer.count(city('Vienna'))],
    [
      'business customers in Austria or Portugal',
      customer.list(
        (row) =>
          text(row, 'segment') === 'business' &&
          ['Austria', 'Portugal'].includes(text(row, 'address.country')),
      ),
    ],
    ['customers who want the newsletter', customer.list((row) => at(row, 'wants_newsletter') === true)],
    ['customers without a newsletter', customer.list((row) => at(row, 'wants_newsletter') === false)],
    ['How many customers have no email?', customer.count((row) => at(row, 'email') === undefined)],
    [
      'customers with an email in Oslo',
      customer.list((row) => at(row, 'email') !== undefined && city('Oslo')(row)),
    ],
    ['customers that joined before March 2021', customer.list((row) => text(row, 'joined') < '2021-03')],
    [
      'private customers who joined since 2024-05-01',
      customer.list((row) => text(row, 'segment') === 'private' && text(row, 'joined') >= '2024-05-01'),
    ],
    ['the 3 newest customers', customer.top(3, 'joined')],
    ['Which customer joined first?', customer.top(1, 'joined', 'asc')],
    [
      'Which country has the most customers?',
      customer.groups('address.country', 'count', '', () => true, { limit: 1 }),
    ],
    ['How many customers are there in each city?', customer.groups('address.city')],
    ['customers not from Germany', customer.list((row) => text(row, 'address.country') !== 'Germany')],
    [
      'customers with a credit limit of at least 4000',
      customer.list((row) => number(row, 'credit_limit') >= 4000),
    ],
    [
      'orders over 5000 EUR shipped express to Norway',
      order.list(
        (row) =>
          number(row, 'total') > 5000 &&
          text(row, 'shipping.method') === 'express' &&
          text(row, 'shipping.country') === 'Norway',
      ),
    ],
    ['revenue by shipping country', order.groups('shipping.country', 'sum', 'total')],
    ['total revenue in 2025', order.measure('sum', 'total', (row) => date(row).startsWith('2025'))],
    ['How many orders were placed in February 2025?', order.count((row) => date(row).startsWith('2025-02'))],
    ['orders in Q1 2025', order.list((row) => date(row) >= '2025-01' && date(row) < '2025-04')],
    [
      'orders between January and March 2024',
      order.list((row) => date(row) >= '2024-01' && date(row) < '2024-04'),
    ],
    ['orders from last month', order.list((row) => date(row).startsWith('2026-05'))],
    ['orders placed on 3 March 2025', order.list((row) => date(row).startsWith('2025-03-03'))],
    [
      'orders returned in 2025',
      order.list((row) => text(row, 'status') === 'returned' && date(row).startsWith('2025')),
    ],
    ['orders paid by invoice', order.list((row) => text(row, 'payment.method') === 'invoice')],
    ['orders with payment method invoice', order.list((row) => text(row, 'payment.method') === 'invoice')],
    ['orders with a discount', order.list((row) => number(row, 'discount') > 0)],
    ['How many orders have more than 5 items?', order.count((row) => number(row, 'items') > 5)],
    [
      'canceled or returned orders over 8000',
      order.list(
        (row) => ['canceled', 'returned'].includes(text(row, 'status')) && number(row, 'total') > 8000,
      ),
    ],
    ['5 largest orders by total', order.top(5, 'total')],
    ['latest order', order.top(1, 'ordered_at')],
    [
      'top 2 cities by total revenue',
      order.groups('shipping.city', 'sum', 'total', () => true, { limit: 2 }),
    ],
    [
      'Which 3 countries have the most orders?',
      order.groups('shipping.country', 'count', '', () => true, { limit: 3 }),
    ],
    ['average total by payment method', order.groups('payment.method', 'avg', 'total')],
    ['orders of Customer 7', order.list((row) => text(row, 'customer') === 'Customer 7')],
    ['What is the weather in Berlin tomorrow?', null],
    ['Which customers never ordered?', null],
    ['Predict the revenue of next quarter', null],
    ['monthly revenue 2025', null],
    ['Which products are eco-certified by the EU?', null],
    ['products with a warranty of 3 years', null],
    ['Which customers complained last week?', null],
    ['Which orders are late?', null],
    ['customers who bought laptops', null],
    ['Who is our best supplier?', null],
    ['Draft an email to Customer 7', null],
  ];
}

export function shop(seed: number): DataSet {
  const rows = rowsOf(seed);
  return { name: 'shop', rows, questions: questionsOn(rows) };
}
