// Random answers of a lying model over random items and schemas: whatever it says, an output conforms and its basis is
// true, or the step fails with output_invalid.
import { expandSchema } from '#contract/expand-schema.ts';
import type { JsonObject } from '#contract/json.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { WholeOutputSchema } from '#contract/sent-schema.ts';
import { OutputInvalid } from '#steps/answer-as-data.ts';
import { reconstitute } from '#steps/reconstitute-step.ts';
import type { Item, StepContext } from '#steps/step.ts';
import { contextOf } from '../../unit/steps/fake-context.ts';
import type { Findings, Flags } from '../proof.ts';
import { type Random, random } from '../random.ts';
import { lyingModel } from './lying-model.ts';
import { falseIn } from './oracle.ts';

const NAMES = [
  'name',
  'city',
  'size',
  'tags',
  'address',
  'zip',
  'id',
  'n',
  'result',
  'count',
  'summary',
  'a/b~c',
];

function scalar(chance: Random): OutputSchema {
  const type = chance.pick(['string', 'number', 'integer', 'boolean'] as const);
  const bounds: OutputSchema[] = [
    {},
    {},
    { minLength: 2, maxLength: 12 },
    { minimum: 1, maximum: 50 },
    { format: 'date' },
    { enum: ['Berlin', 'Oslo', 7, true, null] },
  ];
  return { type: chance.chance(0.5) ? [type, 'null'] : type, ...chance.pick(bounds) };
}

function place(chance: Random, depth: number): OutputSchema {
  const kind = depth > 3 ? 'scalar' : chance.pick(['scalar', 'scalar', 'scalar', 'object', 'array']);
  if (kind === 'scalar') return scalar(chance);
  if (kind === 'object') return object(chance, depth);
  const bounds: OutputSchema[] = [{}, {}, { maxItems: 2 }, { minItems: 1 }];
  return {
    type: 'array',
    items: chance.chance(0.7) ? object(chance, depth) : scalar(chance),
    ...chance.pick(bounds),
  };
}

function object(chance: Random, depth: number): OutputSchema {
  const names = NAMES.filter(() => chance.chance(0.25));
  const properties = Object.fromEntries(names.map((name) => [name, place(chance, depth + 1)]));
  return { type: 'object', properties, required: names.filter(() => chance.chance(0.3)) };
}

function root(chance: Random): OutputSchema {
  const { properties, required = [] } = object(chance, 1);
  const rows: OutputSchema = { type: 'array', items: object(chance, 2) };
  const sent = WholeOutputSchema.parse({ type: 'object', properties: { ...properties, rows }, required });
  return expandSchema(sent).schema;
}

function fieldsOf(chance: Random): JsonObject {
  const all: JsonObject = {
    city: chance.pick(['Berlin', 'Oslo', 5, null]),
    Size: chance.pick([7, 7.5, '7', true]),
    tags: chance.pick([['a', 'b'], [], 'a', [1, null]]),
    address: chance.pick<JsonObject | string>([{ zip: '10' }, { Zip: 10 }, 'here']),
    name: 'Other',
    result: chance.pick([1, 'one']),
  };
  return Object.fromEntries(Object.entries(all).filter(() => chance.chance(0.7)));
}

function record(chance: Random, i: number): Item {
  const fields = fieldsOf(chance);
  const marked =
    chance.chance(0.3) && 'result' in fields ? { written: [{ field: 'result', step_index: 0 }] } : {};
  return {
    id: `e${i}`,
    kind: 'entity',
    type: 'company',
    name: `Company ${i}`,
    fields,
    created_at: i,
    ...marked,
  };
}

const group = (chance: Random, i: number): Item => ({
  ...{ id: `g${i}`, kind: 'group', type: 'group', name: `G${i}`, count_field: 'n' },
  fields: { city: `C${i}`, n: chance.below(60) },
});

/** The step with the answers of one seed: false statements of its output; null if there is none. */
async function answered(seed: number, index: number): Promise<string[] | null> {
  const chance = random(seed, index);
  const schema = root(chance);
  const some = (most: number, make: (chance: Random, i: number) => Item) =>
    Array.from({ length: chance.below(most + 1) }, (_, i) => make(chance, i));
  const outputs = {
    0: { items: some(6, record) },
    1: { items: chance.chance(0.5) ? some(3, group) : some(4, (given, i) => record(given, i + 20)) },
  };
  const items = outputs[0].items.length + outputs[1].items.length;
  const call = lyingModel(schema, items, chance);
  const attempt = { signal: AbortSignal.timeout(10_000), onReply: () => undefined };
  const context: StepContext<'reconstitute'> = {
    ...contextOf(
      'reconstitute',
      { expected_artifacts: ['NONE'] },
      { outputs, run: { output_schema: schema } },
    ),
    call: (task, input) => call(task, input, { step_attempt: 1, calls_before: 0 }, attempt),
  };
  try {
    const { output, message = '' } = await reconstitute(context);
    if (!output) return ['there is no output'];
    const steps = new Map(Object.entries(outputs).map(([step, given]) => [Number(step), given.items]));
    return falseIn(schema, output, { steps, message });
  } catch (error) {
    if (error instanceof OutputInvalid && error.issues.length > 0) return null;
    throw error;
  }
}

/** Judges answers of as many seeds. */
export async function proveAnswers({ answers, seed }: Flags<'answers'>): Promise<Findings> {
  const breaches: string[] = [];
  let outputs = 0;
  for (let i = 0; i < answers; i += 1) {
    const found = await answered(seed, i);
    if (found) outputs += 1;
    for (const fault of found ?? []) breaches.push(`answer ${i}: ${fault}`);
  }
  // A proof in which every answer is refused shows nothing.
  if (outputs < answers / 10) breaches.push(`only ${outputs} answers made an output`);
  return { answers, outputs, refused: answers - outputs, breaches: breaches.slice(0, 20) };
}
