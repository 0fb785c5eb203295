// A small business, invented: companies, their people and orders with numbers for names.
import { random } from '../../random.ts';

const CITIES = ['Berlin', 'Munich', 'Oslo', 'Rome', 'Boston', 'Chicago'];
const COUNTRIES = ['Germany', 'Germany', 'Norway', 'Italy', 'USA', 'USA'];
const INDUSTRIES = ['finance', 'energy', 'data', 'retail'];
const SEED = 20_261_128;

const numbers = (count: number) => Array.from({ length: count }, (_, i) => ({ i, chance: random(SEED, i) }));

export const companies = numbers(60).map(({ i, chance }) => {
  const city = chance.below(CITIES.length);
  return {
    name: `${['Nord', 'Sued', 'Alto', 'Brim'][i % 4]}${['data', 'werk', 'line'][i % 3]} ${i}`,
    city: CITIES[city] ?? '',
    country: COUNTRIES[city] ?? '',
    industry: chance.pick(INDUSTRIES),
    founded: 1970 + chance.below(50),
    revenue_musd: 5 + chance.below(900) + i / 100,
    employees: 20 + chance.below(1500),
    margin: (chance.below(40) - 15) / 100,
    public: chance.chance(0.4),
  };
});

export const people = numbers(80).map(({ i, chance }) => ({
  name: `${['Lena', 'Omar', 'Wei', 'Ada'][i % 4]} ${['Koch', 'Haddad', 'Zhang', 'Okafor', 'Rossi'][i % 5]} ${i}`,
  role: chance.pick(['engineer', 'lawyer', 'analyst']),
  company: companies[chance.below(companies.length)]?.name ?? '',
  age: 22 + chance.below(45),
}));

/** Days from 2025-01-01 to 2026-06-14. */
export const orders = numbers(150).map(({ i, chance }) => ({
  name: String(1001 + i),
  customer: companies[chance.below(companies.length)]?.name ?? '',
  status: chance.pick(['paid', 'open', 'cancelled']),
  total: 10 + chance.below(900) + (i % 100) / 100,
  balance: chance.below(200) - 100,
  ordered_on: new Date(Date.UTC(2025, 0, 1 + chance.below(530))).toISOString().slice(0, 10),
}));

export type Company = (typeof companies)[number];
export type Order = (typeof orders)[number];
