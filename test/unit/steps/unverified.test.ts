// rules.md: steps 16. What a model wrote is compared with what it was given: numbers and names that nothing has are named.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#contract/json.ts';
import { unverified } from '#steps/unverified.ts';

const items: { name: string; type: string; fields: JsonObject }[] = [
  { name: 'Norddata GmbH', type: 'company', fields: { city: 'Berlin', revenue: 84.5, founded: 2009 } },
  { name: 'Brightwave Labs', type: 'company', fields: { city: 'Oslo', revenue: 1_234_567, share: 0.125 } },
  { name: 'Ana Müller', type: 'person', fields: { note: 'met Ines Prado, offered 12.500,75 EUR' } },
];
const of = (written: string, texts: string[] = []) => unverified(written, { items, texts });
const nothing = { numbers: [], names: [] };

test.each([
  'Norddata GmbH in Berlin earned 84.5 and was founded in 2009.',
  'Norddata earned 85, rounded.',
  'Brightwave Labs earned 1,234,567, which is 1.23 million.',
  'Its share is 12.5 %.',
  'All 3 were read; 2 are companies.',
  '1. Norddata\n2. Brightwave',
  'They met Ines Prado, and 12500.75 was offered.',
  'Ana Muller’s note says so.',
  '[Norddata](entity=1) stands out.',
])('what the items have is verified: %s', async (written) => {
  expect(await of(written)).toEqual(nothing);
});

test.each([
  ['All companies earned 999 million.', { numbers: ['999'], names: [] }],
  ['It grew by 754.30 % since 2018.', { numbers: ['754.30', '2018'], names: [] }],
  ['Behind it stands Forthouse Ventures.', { numbers: [], names: ['Forthouse Ventures'] }],
  ['Forthouse Ventures stands behind it.', { numbers: [], names: ['Forthouse Ventures'] }],
  ['They moved to Lisbon.', { numbers: [], names: ['Lisbon'] }],
  // Its words are known, but no item has both.
  ['We asked Ana Prado Norddata.', { numbers: [], names: ['Ana Prado Norddata'] }],
  ['Norddata has 85.5.', { numbers: ['85.5'], names: [] }],
])('what no item has is named: %s', async (written, expected) => {
  expect(await of(written)).toEqual(expected);
});

test('what the instructions say is verified, too', async () => {
  expect(await of('In Lisbon there are 17.', ['Ask about Lisbon and the 17 trams'])).toEqual(nothing);
});

test('a text that capitalizes its nouns is not read as names', async () => {
  const written = 'Der Umsatz der Firma in der Stadt ist höher als der Umsatz im Land.';
  expect(await of(written)).toEqual(nothing);
});

test('a number that an item has is never named, however it is written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      fc.integer({ min: 0, max: 2 }),
      async (n, d) => {
        const given = [{ name: 'x', type: 'y', fields: { n } }];
        const written = [
          n.toFixed(d),
          n.toLocaleString('en-US', { maximumFractionDigits: d, minimumFractionDigits: d }),
        ];
        for (const text of written)
          expect(await unverified(`It is ${text} in all.`, { items: given, texts: [] })).toEqual(nothing);
      },
    ),
  );
});
