// A model that lies about the values of an answer: invented items, fields, steps and places, extra members, wrong types,
// values written where a reference is due, and JSON that breaks off.
import { MockLanguageModelV4 } from 'ai/test';
import type { OutputSchema } from '#contract/output-schema.ts';
import { callThrough } from '#models/ai-sdk/language-model.ts';
import type { Model } from '#models/model.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import type { Random } from '../random.ts';

const FIELDS = [
  'name',
  'city',
  'size',
  'tags',
  'address.zip',
  'fields.name',
  'id',
  'created_at',
  'invented',
  '',
];

/** Places of the schema with an index for each array, and some that it does not have. */
function placesOf(schema: OutputSchema, chance: Random, any: boolean, at = ''): string[] {
  const properties = Object.entries(schema.properties ?? {});
  const index = any ? '*' : String(chance.below(4));
  return [
    at,
    ...properties.flatMap(([name, inner]) => placesOf(inner, chance, any, pointerTo(at, name))),
    ...(schema.items ? placesOf(schema.items, chance, any, pointerTo(at, index)) : []),
  ];
}

/** References, more or less true. */
function references(schema: OutputSchema, items: number, chance: Random): object {
  const invented = ['/nowhere', '/rows/-1/name', '/rows/999999999/name', 'rows', '/__proto__', '/rows/*/x'];
  const lies = chance.pick([0, 0, 0.05, 0.3]);
  const place = (any: boolean) =>
    chance.chance(lies) ? chance.pick(invented) : chance.pick(placesOf(schema, chance, any));
  const item = () => (chance.chance(lies) ? chance.pick([-1, items, 1e9]) : chance.below(Math.max(1, items)));
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: chance.below(most + 1) }, make);
  const lists = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === 'array' && chance.chance(0.8) ? [pointerTo('', name)] : [],
  );
  return {
    lists: [...lists, ...(chance.chance(lies) ? [place(false)] : [])].map((path) =>
      chance.chance(0.5)
        ? { path, step_index: chance.chance(lies) ? 7 : chance.below(2), items: null }
        : { path, step_index: null, items: some(5, item) },
    ),
    columns: some(4, () => ({ path: place(true), field: chance.pick(FIELDS) })),
    values: some(chance.pick([0, 1, 5]), () => ({
      path: place(false),
      from: chance.pick(['item', 'item', 'count', 'text', 'message']),
      item: chance.chance(0.2) ? null : item(),
      field: chance.chance(0.2) ? null : chance.pick(FIELDS),
      step_index: chance.chance(0.2) ? null : chance.below(3),
      text: chance.pick(['Words.', '', '2026-02-30', '12']),
    })),
  };
}

/** The text of an answer. */
function answer(schema: OutputSchema, items: number, chance: Random): string {
  const whole: Record<string, unknown> = {
    message: chance.chance(0.05) ? '' : 'There are some.',
    texts: [],
    table_title: '',
    ...references(schema, items, chance),
  };
  if (chance.chance(0.1)) whole.data = { rows: [{ name: 'Invented' }] };
  if (chance.chance(0.05)) whole.values = { name: 'Invented' };
  if (chance.chance(0.05)) whole.lists = [{ path: '/rows', items: [{ name: 'Invented' }] }];
  const text = JSON.stringify(whole);
  if (chance.chance(0.05)) return text.slice(0, chance.below(text.length));
  return chance.chance(0.03) ? chance.pick(['', 'Well,', 'null', '[]', '{}']) : text;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The calls of a lying model through the client of real ones. */
export function lyingModel(schema: OutputSchema, items: number, chance: Random): Model['call'] {
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: answer(schema, items, chance) }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    }),
  });
  const endpoint = { name: 'test', provider: 'openai', model: 'test' } as const;
  const bounds = { max_output_tokens: 4096, parallel: 8, timeout_ms: 60_000 };
  return callThrough({ endpoint: { ...endpoint, ...bounds }, key: undefined, model: () => model });
}
