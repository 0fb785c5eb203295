// rules.md: models 14. How much a prompt holds, counted at three characters a token, and how much of it a cache can reuse.
import { describe, expect, test } from 'vitest';
import { promptFor } from '#models/ai-sdk/prompt.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf } from '#models/tasks/task-registry.ts';
import { demoEntities } from '../../../functions/admin/demo-records.ts';
import { item, outlineOf, valuesIn } from './given.ts';

type Asked = 'understand' | 'plan';
const both = ['understand', 'plan'] as const;
const CHARACTERS_A_TOKEN = 3;

const demo = demoEntities().map(({ type, name, fields }) => item(name, fields ?? {}, type));

/** 30 types of 21 records with 30 short texts each. */
const wide = Array.from({ length: 30 }, (_, t) =>
  Array.from({ length: 21 }, (_, r) => {
    const values = Array.from({ length: 30 }, (_, f): [string, string] => [
      `field_${f}`,
      `value ${r} of ${f}`,
    ]);
    return item(`Record ${t} ${r}`, Object.fromEntries(values), `type_${t}`);
  }),
).flat();

function inputOf(query: string, records: ModelItem[], more: Partial<InputOf<'plan'>> = {}) {
  const { types } = outlineOf(records);
  const shape = {
    types: types.map(({ fields, ...type }) => ({
      ...type,
      fields: fields.map((field) => ({ ...field, samples: field.samples.slice(0, 20) })),
    })),
  };
  const values = valuesIn(query, records);
  return {
    query,
    interpretation: query,
    strict_mode: true,
    shape,
    values,
    candidates: [],
    today: '2026-11-20',
    ...more,
  };
}

function promptOf(kind: Asked, input: ReturnType<typeof inputOf>): string {
  const { instructions, prompt } = promptFor(kind, input);
  return instructions + prompt;
}
const tokensOf = (prompt: string) => Math.ceil(Buffer.byteLength(prompt) / CHARACTERS_A_TOKEN);

function sharedPart(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared / Math.max(one.length, other.length);
}

describe.each(both)('the prompt of %s', (kind) => {
  test('has at most 2,000 tokens over the demo workspace', () => {
    const query = 'Which companies in Berlin have a revenue over 50 million?';
    const tokens = tokensOf(promptOf(kind, inputOf(query, demo)));
    expect(tokens).toBeLessThanOrEqual(2000);
  });
  test('has at most 6,000 tokens over 30 types of 30 fields, and names them all', () => {
    const input = inputOf('Which type_7 have field_3 of value 5 of 3?', wide, { prompt_bytes: 86_016 });
    const prompt = promptOf(kind, input);
    expect(tokensOf(prompt)).toBeLessThanOrEqual(6000);
    expect(prompt.match(/"type":"type_\d+"/g)).toHaveLength(30);
    expect(prompt.match(/"field_29"/g)).toHaveLength(30);
    expect(prompt).toContain('value 5 of 3');
  });
  test('names first what the query can mean where not all fits', () => {
    const long = wide.map(({ fields, ...record }) => ({
      ...record,
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [`attribute_of_the_record_${name}`, value]),
      ),
    }));
    const prompt = promptOf(kind, inputOf('type_7 records', long));
    expect(tokensOf(prompt)).toBeLessThanOrEqual(6000);
    expect(prompt.match(/"type":"type_\d+"/g)).toHaveLength(30);
    const shown = JSON.parse(prompt.slice(prompt.lastIndexOf('<data>') + 6, prompt.indexOf('</data>\n')));
    const meant = shown.shape.types.find(({ type }: { type: string }) => type === 'type_7');
    expect(Object.keys(meant.fields ?? {}).length + (meant.others?.text?.length ?? 0)).toBe(30);
  });
  test('shows samples only of fields with at most 50 different texts', () => {
    const emails = Array.from({ length: 60 }, (_, i) =>
      item(`P${i}`, { email: `p${i}@example.com`, team: `team ${i % 50}` }, 'person'),
    );
    const prompt = promptOf(kind, inputOf('people', emails));
    expect(prompt).not.toContain('@example.com');
    expect(prompt).toContain('team 1 |');
    expect(prompt).toContain('"others":{"text":["email"]}');
  });
  test('has at most 6,000 tokens with a record of 300 KB', () => {
    const record = item('Moby Dick', { text: 'whale '.repeat(50_000), year: 1851 }, 'book');
    const prompt = promptOf(kind, inputOf('Summarize Moby Dick', [record], { candidates: [record] }));
    expect(tokensOf(prompt)).toBeLessThanOrEqual(6000);
    expect(prompt).toContain('whale […]');
    expect(prompt).toContain('1851');
  });
  test('shares at least 90 % with that of another query of the workspace', () => {
    const queries = [
      'Which companies in Berlin have a revenue over 50 million?',
      'Who is the founder of Kiezpay?',
    ];
    const [one = '', other = ''] = queries.map((query) => promptOf(kind, inputOf(query, demo)));
    expect(sharedPart(one, other)).toBeGreaterThanOrEqual(0.9);
  });
  test.each([2048, 8192])('fits a context of %s tokens over the demo workspace', (context) => {
    const prompt_bytes = (context - context / 4) * CHARACTERS_A_TOKEN;
    const query = 'Which companies in Berlin have a revenue over 50 million?';
    const prompt = promptOf(kind, inputOf(query, demo, { prompt_bytes }));
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(prompt_bytes);
    expect(prompt).toContain('revenue_musd');
    expect(prompt).toContain('city');
  });
});
