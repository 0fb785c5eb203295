// Laws of questions, whatever the records are: what a change of the words does to what is found (rules.md: query 5).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '#domain/evaluation/truth.ts';
import { indexOf } from '../../proofs/questions/ask.ts';

const CITIES = ['Berlin', 'Oslo', 'Rome'];
const CODES = ['OR', 'WA', 'IN', 'NO', 'IS', 'ME'];

interface Parcel {
  amount: number;
  weight_kg: number;
  share: number;
  city: string;
  code: string;
  fragile: boolean;
  sent_on: string;
}

const parcel = fc.record<Parcel>({
  amount: fc.integer({ min: -60, max: 60 }),
  weight_kg: fc.integer({ min: 1, max: 900 }).map((tenths) => tenths / 10),
  share: fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  city: fc.constantFrom(...CITIES),
  code: fc.constantFrom(...CODES),
  fragile: fc.boolean(),
  sent_on: fc
    .integer({ min: 0, max: 1090 })
    .map((day) => new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10)),
});

/** One of every city and code, so that each is known; then any others. */
const parcels = fc.array(parcel, { minLength: 6, maxLength: 25 }).map((all) =>
  all.map((one, i) => ({
    ...one,
    ...(i < CODES.length && {
      city: CITIES[i % CITIES.length] ?? '',
      code: CODES[i] ?? '',
      fragile: i % 2 === 0,
    }),
    // No two are equal in what they are ordered by.
    ...{ amount: one.amount + i / 100, weight_kg: one.weight_kg + i / 1000 },
  })),
);

const rowsOf = (all: readonly Parcel[]): Row[] =>
  all.map((fields, i) => ({ type: 'parcel', name: `Parcel no. ${i}`, fields: { ...fields } }));
const mirrored = (all: readonly Parcel[]) => all.map((one) => ({ ...one, amount: -one.amount }));

/** What is found, in order; every question of these laws is understood whole. */
function asked(all: readonly Parcel[]): (query: string) => string[] {
  const ask = indexOf(rowsOf(all));
  return (query) => {
    const { words, found } = ask(query);
    expect([query, words]).toEqual([query, []]);
    return found?.kind === 'records' ? found.names : [];
  };
}
const setOf = (names: readonly string[]) => names.toSorted();
const bound = fc.integer({ min: 1, max: 50 });

/** Holds for any records. */
function law<T>(name: string, figures: fc.Arbitrary<T>, holds: (all: Parcel[], figure: T) => void): void {
  test(name, () => {
    fc.assert(fc.property(parcels, figures, holds), { numRuns: 20 });
  });
}

law('what is not so, and what is so, are together all', fc.constantFrom(...CITIES), (all, city) => {
  const ask = asked(all);
  const every = setOf(rowsOf(all).map(({ name }) => name));
  expect(setOf([...ask(`parcels in ${city}`), ...ask(`parcels not in ${city}`)])).toEqual(every);
  expect(setOf([...ask('fragile parcels'), ...ask('parcels that are not fragile')])).toEqual(every);
});

law(
  'two conditions find what both find',
  fc.tuple(fc.constantFrom(...CITIES), bound),
  (all, [city, least]) => {
    const ask = asked(all);
    const over = new Set(ask(`parcels with an amount over ${least}`));
    const both = ask(`parcels in ${city} with an amount over ${least}`);
    expect(both).toEqual(ask(`parcels in ${city}`).filter((name) => over.has(name)));
  },
);

law('a sign that flips finds the mirror image', bound, (all, least) => {
  const [ask, mirror] = [asked(all), asked(mirrored(all))];
  expect(ask(`parcels with an amount below -${least}`)).toEqual(
    mirror(`parcels with an amount above ${least}`),
  );
  expect(ask(`parcels with an amount between -${least} and 0`)).toEqual(
    mirror(`parcels with an amount between 0 and ${least}`),
  );
});

law('a number in another unit finds the same', bound, (all, least) => {
  const ask = asked(all);
  expect(ask(`parcels with a weight over ${least} kg`)).toEqual(
    ask(`parcels with a weight over ${least * 1000} g`),
  );
  expect(ask(`parcels with a share of at least ${least}%`)).toEqual(
    ask(`parcels with a share of at least ${least / 100}`),
  );
  expect(ask(`parcels with a weight under ${least},5 kg`)).toEqual(
    ask(`parcels with a weight under ${least}.5 kg`),
  );
});

law('the first of one order are the last of the other', fc.integer({ min: 1, max: 6 }), (all, first) => {
  const [ask, mirror] = [asked(all), asked(mirrored(all))];
  expect(ask(`top ${first} parcels by amount`)).toEqual(mirror(`bottom ${first} parcels by amount`));
  const heaviest = ask(`the ${all.length} heaviest parcels by weight`);
  expect(ask(`the ${first} lightest parcels by weight`)).toEqual(heaviest.toReversed().slice(0, first));
});

law(
  'the order of codes does not matter, also of those that are words',
  fc.shuffledSubarray(CODES, { minLength: 2, maxLength: 3 }),
  (all, codes) => {
    const ask = asked(all);
    const listed = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    const found = ask(`parcels with code ${listed(codes)}`);
    expect(found).toEqual(
      rowsOf(all)
        .filter((_, i) => codes.includes(all[i]?.code ?? ''))
        .map(({ name }) => name),
    );
    expect(found).toEqual(ask(`parcels with code ${listed(codes.toReversed())}`));
  },
);

law('two years find what each finds', fc.constantFrom(2023, 2024), (all, year) => {
  const ask = asked(all);
  const each = [...ask(`parcels sent in ${year}`), ...ask(`parcels sent in ${year + 1}`)];
  expect(setOf(ask(`parcels sent in ${year} and ${year + 1}`))).toEqual(setOf(each));
  expect(ask(`parcels sent from ${year} to ${year + 1}`)).toEqual(
    ask(`parcels sent in ${year} or ${year + 1}`),
  );
});
