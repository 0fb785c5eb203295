// What the offline filter understands of an instruction.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { companies, item, kept, offline, people } from './given.ts';

const everyone = 'Acme, Bolt, Cargo, Delta Soft, Nova';

describe('the offline filter on companies', () => {
  test.each([
    ['Keep companies based in Berlin', 'Acme, Delta Soft'],
    ['keep Berlin', 'Acme, Delta Soft'],
    ['Only companies from Germany', 'Acme, Bolt, Cargo, Delta Soft'],
    ['Keep German companies', 'Acme, Bolt, Cargo, Delta Soft'],
    ['Keep companies in Paris', ''],
    ['Keep companies in New York', 'Nova'],
    ['software companies in Berlin', 'Acme, Delta Soft'],
    ['Keep the companies that are in the software industry', 'Acme, Delta Soft'],
    ['city is Berlin', 'Acme, Delta Soft'],
    ['Keep records where city equals "Berlin"', 'Acme, Delta Soft'],
    ['industry: software', 'Acme, Delta Soft'],
    ['in Berlin and Munich', 'Acme, Bolt, Delta Soft'],
    ['Keep companies in Berlin, Hamburg and New York', 'Acme, Cargo, Delta Soft, Nova'],
    ['fintech or logistics', 'Bolt, Cargo, Nova'],
    ['Keep companies named Acme', 'Acme'],
    // A value that no item of the batch has leaves the others of its list.
    ['companies in Vienna, Zurich or Munich', 'Bolt'],
    ['companies in Munich or Vienna', 'Bolt'],
    ['companies not in Berlin or Vienna', 'Bolt, Cargo, Nova'],
    ['companies in neither Vienna nor Berlin', 'Bolt, Cargo, Nova'],
    ['companies in Vienna or Zurich', ''],
    ['companies in munich or vienna', 'Bolt'],
    // A word that is written in another way than the value is none of its kind.
    ['companies in Munich, profitable or listed', ''],
    ['companies that are profitable or in Munich', ''],
    ['profitable companies in Munich', ''],
  ])('reads values: %s', async (instructions, names) => {
    expect(await kept(instructions)).toBe(names);
  });

  test.each([
    ['Keep companies with revenue over 10', 'Acme, Cargo'],
    ['revenue above 10 million', 'Acme, Cargo'],
    ['$10M+ revenue', 'Acme, Cargo, Nova'],
    ['revenue >= 10', 'Acme, Cargo, Nova'],
    ['revenue = 10', 'Nova'],
    ['revenue between 5 and 15', 'Acme, Bolt, Nova'],
    ['more than 100 employees', 'Acme, Cargo'],
    ['at least 50 people', 'Acme, Cargo, Nova'],
    ['no more than 50 employees', 'Bolt, Delta Soft, Nova'],
    ['patents over 10', ''],
    ['founded after 2015', 'Bolt, Delta Soft'],
    ['founded since 2015', 'Bolt, Delta Soft, Nova'],
    ['founded before 2012', 'Cargo'],
    ['founded between 2010 and 2019', 'Acme, Bolt, Nova'],
    ['companies founded since 2015 in Germany', 'Bolt, Delta Soft'],
  ])('compares: %s', async (instructions, names) => {
    expect(await kept(instructions)).toBe(names);
  });

  test.each([
    ['Keep companies in Berlin or Munich with revenue over 4', 'Acme, Bolt'],
    ['Keep items whose employees > 100 and revenue < 50', 'Acme'],
    ['Keep companies with less than 50 employees or revenue over 50', 'Bolt, Cargo, Delta Soft'],
    ['industry is fintech and city is not Munich', 'Nova'],
    ['Keep those headquartered in Germany that have over 100 employees', 'Acme, Cargo'],
    ['Remove companies in Berlin with revenue over 10', 'Bolt, Cargo, Delta Soft, Nova'],
    ['Keep companies in Germany, but remove those in Berlin', 'Bolt, Cargo'],
    ['companies not in Berlin', 'Bolt, Cargo, Nova'],
    ['Keep all except those in Berlin or Hamburg', 'Bolt, Nova'],
    ['with email', 'Cargo'],
    ['without email', 'Acme, Bolt, Delta Soft, Nova'],
    ['Keep only active companies', 'Acme'],
  ])('combines: %s', async (instructions, names) => {
    expect(await kept(instructions)).toBe(names);
  });

  test.each([
    'keep all',
    'Keep everything',
    'Keep at most 5 companies',
    'Keep the most relevant companies',
    'Keep it',
  ])('keeps all when nothing can be judged: %s', async (instructions) => {
    expect(await kept(instructions)).toBe(everyone);
  });

  test('distinguishes types', async () => {
    expect(await kept('Keep people', [...companies, ...people])).toBe('Alex Kim, Bo Li, Cy Moe');
    expect(await kept('Keep people')).toBe('');
    expect(await kept('Keep companies', people)).toBe('');
  });
});

describe('the offline filter on people', () => {
  test.each([
    ['employees of Acme', 'Alex Kim, Cy Moe'],
    ['people who work at Bolt', 'Bo Li'],
    ['CEOs', 'Bo Li'],
    ['Keep senior engineers or designers', 'Alex Kim, Cy Moe'],
    ['title contains engineer', 'Alex Kim'],
    ['started after 2020', 'Alex Kim'],
    ['joined since March 2021', 'Alex Kim'],
    ['Keep contacts at Acme who are not designers', 'Alex Kim'],
  ])('%s', async (instructions, names) => {
    expect(await kept(instructions, people)).toBe(names);
  });
});

describe('scores', () => {
  test('follow the field to order by, across batches', async () => {
    const judge = async (items: typeof companies) =>
      (await offline('filter', { instructions: 'Keep the top 3 companies by revenue', items })).verdicts;
    const together = await judge(companies);
    const apart = [...(await judge(companies.slice(0, 2))), ...(await judge(companies.slice(2)))];
    expect(apart).toEqual(together);
    const order = companies.toSorted((a, b) => score(b) - score(a)).map(({ name }) => name);
    function score(company: (typeof companies)[number]) {
      return together[companies.indexOf(company)]?.score ?? 0;
    }
    expect(order).toEqual(['Cargo', 'Acme', 'Nova', 'Bolt', 'Delta Soft']);
  });
  test('stay between 0 and 1, one verdict per item in the same order, whatever the instructions', async () => {
    const names = fc.array(fc.string({ maxLength: 12 }), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 120, unit: 'grapheme' }), names, async (instructions, all) => {
        const items = all.map((name, i) => item(name, { note: name, rank: i }));
        const { verdicts } = await offline('filter', { instructions, items });
        expect(verdicts).toHaveLength(items.length);
        expect(verdicts.every((verdict) => verdict && verdict.score >= 0 && verdict.score <= 1)).toBe(true);
      }),
    );
  });
});

test('offline 8: a sentence with a word that no item has keeps none, and one that only orders keeps all', async () => {
  expect(await kept('Keep companies in Berlin. Keep profitable ones.')).toBe('');
  expect(await kept('Remove profitable companies')).toBe(everyone);
  expect(await kept('Prefer companies in Berlin. Rank by revenue.')).toBe(everyone);
});

test('offline 8: a word means the values of its root, and several words those that have them all', async () => {
  expect(await kept('Keep German fintechs')).toBe('Bolt');
});

test('a bare number is meant in the unit of the field', async () => {
  const items = [9.8, 84.5].map((revenue_musd, i) => item(`Company ${i}`, { revenue_musd }));
  expect(await kept('companies with a revenue over 10', items)).toBe('Company 1');
});

test('values of every script are read as they stand, and as they look', async () => {
  const items = ['भारत', 'ไทย', '日本', 'Norð\u00adlandia'].map((country, i) =>
    item(`Firm ${i}`, { country }),
  );
  const found = ['भारत', 'ไทย', '日本', 'nordlandia'].map((value) => kept(`Keep those in ${value}`, items));
  expect(await Promise.all(found)).toEqual(['Firm 0', 'Firm 1', 'Firm 2', 'Firm 3']);
});

test('a sentence of a script without Latin letters is heard in the findings', async () => {
  const asked = { instructions: '增长', focus: '', items: [], found: [], max_tokens: 500 };
  const { findings } = await offline('analyze', { ...asked, context: ['增长放缓。'] });
  expect(findings).toContain('增长放缓');
});
