// What the offline model writes comes from the data it is given.
import { describe, expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { companies, item, offline } from './given.ts';

const [acme, bolt, cargo, delta] = companies;
if (!acme || !bolt || !cargo || !delta) throw new Error('no companies');

async function transformed(instructions: string, field: string, of = acme): Promise<Json | undefined> {
  const output_fields = [field];
  return (await offline('transform', { instructions, item: of ?? item('none', {}), output_fields })).fields[
    field
  ];
}

describe('transform', () => {
  test.each([
    ['Extract the city', 'city', 'Berlin'],
    ['Extract the headquarters', 'hq', 'Berlin'],
    ['How many people work there', 'headcount', 120],
    ['Extract the founding year', 'year', 2012],
    ['Extract the email domain', 'domain', 'acme.com'],
    ['Return the city in uppercase', 'upper_city', 'BERLIN'],
    ['Uppercase the name', 'result', 'ACME'],
    ['How many characters has the industry', 'industry_length', 8],
    ['Does it have a website', 'has_website', true],
    ['Extract the phone number', 'phone', null],
    ['Extract the city and country', 'result', 'city: Berlin, country: Germany'],
  ])('%s', async (instructions, field, value) => {
    expect(await transformed(instructions, field)).toEqual(value);
  });
  test('takes initials of a name of two words', async () => {
    expect(await transformed('Give the initials', 'initials', delta)).toBe('DS');
  });
  test('chooses one of the options of the order', async () => {
    const chosen = await transformed('Classify as logistics, software or fintech', 'class', cargo);
    expect(chosen).toBe('logistics');
  });
  test('writes a sentence of the item’s own data where nothing is to be copied', async () => {
    const written = await transformed('Write a one-sentence summary', 'summary');
    expect(written).toMatch(/^Acme is a software company in Berlin, Germany/);
    expect(await transformed('', 'result', bolt)).toContain('Bolt');
  });
  test('gives every output field asked for', async () => {
    const { fields } = await offline('transform', {
      instructions: 'Extract the city and the domain',
      item: acme,
      output_fields: ['city', 'domain'],
    });
    expect(fields).toEqual({ city: 'Berlin', domain: 'acme.com' });
  });
});

describe('analyze', () => {
  const analyzed = async (max_tokens: number) =>
    (
      await offline('analyze', {
        instructions: 'Compare companies by industry and revenue',
        focus: 'revenue',
        items: companies,
        found: [{ type: 'company', count: 5 }],
        context: ['Growth slows. Revenue fell in May.'],
        max_tokens,
      })
    ).findings;
  test('counts, groups and measures the items, with links to them', async () => {
    const findings = await analyzed(2000);
    expect(findings).toContain('5 companies');
    expect(findings).toContain(
      '- software: 2 (40 %): [Acme](entity=id-acme), [Delta Soft](entity=id-delta-soft)',
    );
    expect(findings).toContain(
      'From 3.2 ([Delta Soft](entity=id-delta-soft)) to 80 ([Cargo](entity=id-cargo))',
    );
    expect(findings).toContain('in sum 110.7');
    expect(findings).toContain('Revenue fell in May.');
  });
  test('respects max_tokens at four characters each and cuts no link in two', async () => {
    for (let tokens = 20; tokens < 300; tokens += 7) {
      const findings = await analyzed(tokens);
      expect(findings.length).toBeLessThanOrEqual(tokens * 4);
      expect(findings.split('[').length).toBe(findings.split(/\]\(entity=[\w-]+\)/).length);
    }
  });
  test('of nothing reports it', async () => {
    const { findings } = await offline('analyze', {
      instructions: '',
      focus: '',
      items: [],
      found: [],
      context: [],
      max_tokens: 500,
    });
    expect(findings).toContain('no items');
  });
});

describe('discover', () => {
  test('ranks by links and likeness, gives reasons, and respects the limit', async () => {
    const candidates = [
      { ...cargo, links: [] },
      { ...bolt, links: ['id-acme', 'id-acme'] },
      { ...delta, links: [] },
    ];
    const { picks } = await offline('discover', {
      instructions: 'software competitors',
      items: [acme],
      candidates,
      limit: 2,
    });
    expect(picks.map(({ id }) => id)).toEqual(['id-bolt', 'id-delta-soft']);
    expect(picks[0]?.reason).toContain('linked by Acme');
    expect(picks[1]?.reason).toContain('city Berlin');
  });
});

describe('reconstitute', () => {
  const input = {
    instructions: 'Which companies are in Germany?',
    run_title: 'German companies',
    items: companies.slice(0, 4),
    found: [{ type: 'company', count: 4 }],
    context: [],
    text_titles: ['Report', 'Risks'],
    table_wanted: true,
    max_tokens: 4000,
  };
  test('answers with the records found, in their order, as record links', async () => {
    const { message } = await offline('reconstitute', input);
    expect(message).toMatch(/^Which companies are in Germany\? Found: 4 companies\./);
    expect(message.match(/\(entity=[\w-]+\)/g)?.slice(0, 4)).toEqual([
      '(entity=id-acme)',
      '(entity=id-bolt)',
      '(entity=id-cargo)',
      '(entity=id-delta-soft)',
    ]);
  });
  test('writes one text per title, in order, and names the table', async () => {
    const { texts, table_title } = await offline('reconstitute', input);
    expect(texts.map(({ title }) => title)).toEqual(['Report', 'Risks']);
    expect(texts[0]?.content).toContain('[Cargo](entity=id-cargo)');
    expect(table_title).toBe('German companies');
  });
  test('respects max_tokens overall', async () => {
    const { message, texts } = await offline('reconstitute', { ...input, max_tokens: 256 });
    const length = message.length + texts.reduce((sum, { content }) => sum + content.length, 0);
    expect(length).toBeLessThanOrEqual(256 * 4);
  });
  test('carries findings of earlier steps into the texts', async () => {
    const { texts } = await offline('reconstitute', { ...input, context: ['Revenue is concentrated.'] });
    expect(texts[0]?.content).toContain('Revenue is concentrated.');
  });
  test('of nothing reports that nothing was found', async () => {
    const { message } = await offline('reconstitute', { ...input, items: [], found: [], text_titles: [] });
    expect(message).toContain('No records were found');
  });
  test('links notes and artifacts as such, without the brackets of a name', async () => {
    const items = [item('Memo', {}, 'note'), item('Old table', {}, 'artifact'), item('A [b] c', {})];
    const { message } = await offline('reconstitute', { ...input, items });
    expect(message).toContain('[Memo](note=id-memo)');
    expect(message).toContain('[Old table](artifact=id-old-table)');
    expect(message).toContain('[A \\[b\\] c](entity=id-a-b-c)');
  });
});

test('no sum is given over a part of the items, and each number says what it is over', async () => {
  const asked = { instructions: 'Compare revenue', items: companies, context: [], max_tokens: 2000 };
  const { findings } = await offline('analyze', {
    ...asked,
    focus: '',
    found: [{ type: 'company', count: 12_345 }],
  });
  expect(findings).toContain('The findings rest on the first 5 of 12,345 items');
  expect(findings).toContain('on average 22.14, over the first 5 of 12,345 items.');
  expect(findings).not.toContain('in sum');
});

test('numbers are rounded for people, and years have neither separators nor a mean', async () => {
  const items = [
    item('A', { founded: 1998, revenue: 1317.6556179775282 }),
    item('B', { founded: 2019, revenue: 98765.4 }),
  ];
  const { message } = await offline('reconstitute', {
    instructions: 'Companies founded',
    run_title: 'T',
    items,
    found: [{ type: 'company', count: 2 }],
    context: [],
    text_titles: [],
    table_wanted: false,
    max_tokens: 4000,
  });
  expect(message).toMatch(/revenue 1317\.66/);
  expect(message).toMatch(/revenue 98,765\.4/);
  expect(message).toContain(
    '**Founded.** From 1998 ([A](entity=id-a)) to 2019 ([B](entity=id-b)), over 2 items.',
  );
});

describe('reconstitute of groups', () => {
  const input = {
    instructions: 'How many companies are there per city?',
    run_title: 'Companies per city',
    context: [],
    text_titles: ['Report'],
    table_wanted: true,
    max_tokens: 4000,
  };
  const groups = [
    item('Berlin', { city: 'Berlin', count: 17 }, 'group'),
    item('Oslo', { city: 'Oslo', count: 2 }, 'group'),
  ];
  test('states the numbers of each group, and computes nothing over them', async () => {
    const found = [{ type: 'group', count: 2 }];
    const { message, texts } = await offline('reconstitute', { ...input, items: groups, found });
    expect(message).toMatch(/^How many companies are there per city\? Found: 2 groups\./);
    expect(message).toContain('- Berlin: 17');
    expect(message).not.toMatch(/average|in sum/);
    expect(texts[0]?.content).toContain('- Oslo: 2');
  });
  test('answers with the number where all records are one group', async () => {
    const items = [{ id: 'all', type: 'group', name: '', fields: { count: 1234567 } }];
    const found = [{ type: 'group', count: 1 }];
    const asked = { ...input, instructions: 'How many people work in finance?', items, found };
    const { message, texts } = await offline('reconstitute', asked);
    expect(message).toBe('How many people work in finance? Count: 1,234,567.');
    expect(texts[0]?.content).toContain('Count: 1,234,567.');
  });
  test('says when no record has a value', async () => {
    const items = [{ id: 'all', type: 'group', name: '', fields: {} }];
    const { message } = await offline('reconstitute', {
      ...input,
      items,
      found: [{ type: 'group', count: 1 }],
    });
    expect(message).toContain('No record has such a value.');
  });
});

test('reconstitute counts all that was found, not only the items that it reads', async () => {
  const { message } = await offline('reconstitute', {
    instructions: 'Which companies are in Germany?',
    run_title: 'German companies',
    items: companies,
    found: [{ type: 'company', count: 4321 }],
    context: [],
    text_titles: [],
    table_wanted: true,
    max_tokens: 4000,
  });
  expect(message).toContain('Found: 4321 companies.');
  expect(message).toContain('- and 4316 more');
});

describe('a dossier section', () => {
  const section = async (heading: string) =>
    (
      await offline('dossier_section', {
        heading,
        entity: acme,
        relationships: [
          {
            ...{ entity_id: 'id-alex-kim', name: 'Alex Kim', type: 'person' },
            ...{ relationship_type: 'works_at', direction: 'in', role: 'CTO' },
          },
        ],
        recent_activity: [{ at: Date.UTC(2026, 2, 1), text: 'Website changed' }],
        max_tokens: 500,
      })
    ).content;
  test.each([
    ['Overview', 'Acme is a software company in Berlin'],
    ['Key attributes', '**Employees**: 120'],
    ['Relationships', 'Alex Kim (person) works at Acme, CTO'],
    ['Recent activity', '2026-03-01: Website changed'],
    ['Strategic insights', '1 record is linked to Acme by "works at": Alex Kim.'],
    [
      'Risks',
      'Nothing on record names risks of Acme. What there is to judge by:\n\n- 1 record is linked to Acme',
    ],
    ['Where is the revenue', '**Revenue**: 12.5'],
    ['Favourite colours', 'Nothing on record speaks of this directly. Acme is'],
  ])('%s', async (heading, content) => {
    expect(await section(heading)).toContain(content);
  });
});
