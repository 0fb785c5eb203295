// Invented companies that a model is tried on. Truths follow from their fields in plain code.
import type { Row } from './truth.ts';

interface Company {
  city: string;
  country: string;
  industry: string;
  employees: number;
  revenue_musd: number;
  founded_year: number;
  listed: boolean;
}

/** Name, city, country, industry, employees, revenue in million USD, year founded, whether it is listed. */
const table = [
  ['Alvento', 'Berlin', 'Germany', 'energy', 620, 181, 2004, true],
  ['Brackwater Freight', 'Hamburg', 'Germany', 'logistics', 2300, 344.5, 1991, true],
  ['Cobalt Ledger', 'London', 'United Kingdom', 'payments', 145, 38.2, 2016, false],
  ['Dunmore Robotics', 'Dublin', 'Ireland', 'robotics', 88, 14.9, 2019, false],
  ['Edelweiss Grid', 'Vienna', 'Austria', 'energy', 510, 122.4, 2007, true],
  ['Fernhill Foods', 'Lyon', 'France', 'food', 1750, 296.1, 1987, false],
  ['Gullfoss Data', 'Oslo', 'Norway', 'software', 64, 9.3, 2021, false],
  ['Harrowgate Health', 'Leeds', 'United Kingdom', 'health', 390, 71.8, 2010, false],
  ['Isarwerk', 'Munich', 'Germany', 'software', 705, 158.6, 2002, true],
  ['Jolimont Motors', 'Geneva', 'Switzerland', 'vehicles', 940, 233, 1998, true],
  ['Kestrel Analytics', 'Manchester', 'United Kingdom', 'software', 52, 6.7, 2020, false],
  ['Lindqvist Marine', 'Gothenburg', 'Sweden', 'logistics', 480, 97.5, 2001, false],
  ['Marlowe Pay', 'Berlin', 'Germany', 'payments', 210, 41.6, 2015, false],
  ['Nordhavn Wind', 'Copenhagen', 'Denmark', 'energy', 860, 205.3, 2006, true],
  ['Oakfield Diagnostics', 'Boston', 'United States', 'health', 275, 66.4, 2013, false],
  ['Pinewell Foods', 'Chicago', 'United States', 'food', 1320, 268.9, 1994, true],
  ['Quarrystone Capital', 'Zurich', 'Switzerland', 'finance', 75, 118, 2005, false],
  ['Ravensmoor Systems', 'Seattle', 'United States', 'software', 1480, 402.7, 1999, true],
  ['Saltmarsh Energy', 'Porto', 'Portugal', 'energy', 130, 27.1, 2017, false],
  ['Tidewater Carriers', 'Rotterdam', 'Netherlands', 'logistics', 990, 176.2, 1996, true],
  ['Umberline Robotics', 'Turin', 'Italy', 'robotics', 260, 58.8, 2011, false],
  ['Vesterbro Health', 'Copenhagen', 'Denmark', 'health', 96, 12.5, 2018, false],
  ['Wexcombe Vehicles', 'Birmingham', 'United Kingdom', 'vehicles', 1120, 219.4, 1989, true],
  ['Yarrow Finance', 'Toronto', 'Canada', 'finance', 340, 143.7, 2009, true],
] as const;

export const companies: readonly (Row & { fields: Company & Row['fields'] })[] = table.map(
  ([name, city, country, industry, employees, revenue_musd, founded_year, listed]) => ({
    type: 'company',
    name,
    fields: { city, country, industry, employees, revenue_musd, founded_year, listed },
  }),
);
