// Queries that fields can answer, exact over more records than a model could judge (rules.md: records).
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';

const CITIES = ['Berlin', 'Oslo', 'Rome', 'Lima'];
const INDUSTRIES = ['finance', 'energy', 'software'];
const COUNT = 1_100;

interface Fields {
  [field: string]: string | number;
}

/** Records of a type with a city, an amount, a kind and a year; each amount once. */
const fieldsOf = (names: { place: string; amount: string; kind: string; year: string }): Fields[] =>
  Array.from({ length: COUNT }, (_, i) => ({
    [names.place]: CITIES[(i * 7) % CITIES.length] ?? '',
    [names.amount]: (i * 37) % COUNT,
    [names.kind]: INDUSTRIES[i % INDUSTRIES.length] ?? '',
    [names.year]: 1950 + ((i * 11) % 70),
  }));

const companies = fieldsOf({ place: 'city', amount: 'revenue', kind: 'industry', year: 'founded_year' });
const vessels = fieldsOf({ place: 'port', amount: 'tonnage', kind: 'cargo', year: 'built' });
const people = companies.slice(0, 400).map(({ industry = '' }) => ({ industry }));

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  const lines = (type: string, all: Fields[]) =>
    all.map((fields, i) => ({ type, name: `${type} ${i}`, fields }));
  await given.entities(home.workspace_id, [
    ...lines('company', companies),
    ...lines('vessel', vessels),
    ...lines('person', people),
  ]);
});

async function answered(query: string, kinds = ['fetch', 'reconstitute']) {
  // On a loaded machine the index may still be taking in the records, which is to be tried again.
  const created = await until('a reply that is no time-out', async () => {
    const reply = await call('POST', '/runs', { key: home.key, body: { input_type: 'query', query } });
    return reply.status === 504 ? undefined : reply;
  });
  expect(created.status).toBe(202);
  const run = await then.ended(home, created.body.id, 60_000);
  expect(run).toMatchObject({ status: 'succeeded' });
  expect(run.steps.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
  const table = run.artifacts.find(({ kind }: { kind: string }) => kind === 'table');
  const { rows } = (await call('GET', `/artifacts/${table.id}`, { key: home.key })).body;
  return { run, rows };
}

const nameOf = (row: { name: string }) => /^\[(.*?)\]/.exec(row.name)?.[1] ?? row.name;
const namesOf = (type: string, all: Fields[], keep: (fields: Fields) => boolean) =>
  all.flatMap((fields, i) => (keep(fields) ? [`${type} ${i}`] : []));

describe.each([
  {
    type: 'company',
    many: 'companies',
    all: companies,
    place: 'city',
    amount: 'revenue',
    kind: 'industry',
    year: 'founded_year',
    made: 'founded',
  },
  {
    type: 'vessel',
    many: 'vessels',
    all: vessels,
    place: 'port',
    amount: 'tonnage',
    kind: 'cargo',
    year: 'built',
    made: 'built',
  },
])('over $many', ({ type, many, all, place, amount, kind, year, made }) => {
  test('a condition on two fields finds every record', async () => {
    const { rows, run } = await answered(`Which ${many} in Berlin have a ${amount} over 990?`);
    const expected = namesOf(type, all, (one) => one[place] === 'Berlin' && Number(one[amount]) > 990);
    expect(rows.map(nameOf).sort()).toEqual(expected.sort());
    expect(run.message).toContain(`Found: ${expected.length} ${many}.`);
  });

  test('a count per value', async () => {
    const { rows } = await answered(`How many ${many} are there per ${place}?`);
    const expected = Map.groupBy(all, (one) => one[place]);
    expect(rows).toHaveLength(expected.size);
    for (const row of rows) expect(row.count).toBe(expected.get(row[place])?.length);
  });

  test('the first by a field, in order', async () => {
    const { rows } = await answered(`Top 5 ${many} by ${amount}`);
    expect(rows.map((row: Fields) => row[amount])).toEqual([1099, 1098, 1097, 1096, 1095]);
  });

  test('an average per value', async () => {
    const { rows } = await answered(`Average ${amount} of ${many} by ${kind}`);
    const expected = Map.groupBy(all, (one) => one[kind]);
    expect(rows).toHaveLength(expected.size);
    for (const row of rows) {
      const amounts = (expected.get(row[kind]) ?? []).map((one) => Number(one[amount]));
      expect(row[`average_${amount}`]).toBeCloseTo(
        amounts.reduce((sum, one) => sum + one) / amounts.length,
        8,
      );
    }
  });

  test('a time and a choice of values, in the order of the time', async () => {
    const { rows } = await answered(`${many} ${made} before 1990 in Oslo or Rome, newest first`);
    const expected = namesOf(
      type,
      all,
      (one) => Number(one[year]) < 1990 && ['Oslo', 'Rome'].includes(String(one[place])),
    );
    expect(rows.map(nameOf).sort()).toEqual(expected.sort());
    const years = rows.map((row: Fields) => Number(row[year]));
    expect(years).toEqual(years.toSorted((left: number, right: number) => right - left));
  });
});

test('a count with a condition is in the message', async () => {
  const { run, rows } = await answered('How many people work in finance?');
  const expected = people.filter(({ industry }) => industry === 'finance').length;
  expect(run.message).toContain(`Count: ${expected}.`);
  expect(rows).toHaveLength(1);
});

test('query 10: groups of a size are counted, and a filter keeps those', async () => {
  const kinds = ['fetch', 'filter', 'reconstitute'];
  const { rows, run } = await answered('Industries with at least 367 companies', kinds);
  expect(rows.map(({ industry }: Fields) => industry).toSorted()).toEqual(['energy', 'finance']);
  expect(run.message).not.toContain('software');
});
