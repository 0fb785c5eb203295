// Bodies that are made to cost: long, deep or repetitive within what the limits allow, or just beyond.
import type { Random } from '../random.ts';

const inPlan = (...steps: object[]) =>
  JSON.stringify({
    input_type: 'plan',
    plan: { title: 'Flood', steps: steps.map((step) => ({ title: 'S', ...step })) },
  });
const filter = (instructions: string) => inPlan({ kind: 'fetch' }, { kind: 'filter', instructions });
const query = (text: string) => JSON.stringify({ input_type: 'query', query: text });
const repeated = (text: string, characters: number) => text.repeat(characters / text.length);
const list = (text: string, times: number) => `[${Array.from({ length: times }, () => text).join(',')}]`;
const keys = (name: (i: number) => string, times: number) =>
  `{"input_type":"query","query":"x",${Array.from({ length: times }, (_, i) => `"${name(i)}":1`).join(',')}}`;
const missing = (i: number, j: number) => ({ external_uri: `crm:${i}-${j}-${'r'.repeat(300)}` });

const texts = [
  (size: number) => repeated('>1 ', size / 2) + repeated('1,', size / 2),
  (size: number) => repeated('>1 ', size / 2) + repeated('jan', size / 2),
  (size: number) => repeated('1', size),
  (size: number) => repeated('a,', size),
  (size: number) => repeated('[', size),
  (size: number) => repeated('[[', size / 2) + repeated(']]', size / 2),
  (size: number) => repeated('more than ', size),
  (size: number) => repeated('"', size),
  (size: number) => repeated('[a](entity=', size),
  (size: number) => repeated('between 1 and ', size),
];

const floods: readonly ((random: Random) => string)[] = [
  () => `{"input_type":"query","query":"x","${'k'.repeat(200_000)}":${list('1e999', 25_000)}}`,
  () => `{"input_type":"query","query":"x","a":${list('1e999', 100_000)}}`,
  () => `{"step_index":${list('1e999', 100_000)}}`,
  () => keys((i) => `key${i}`, 60_000),
  () => keys(() => '__proto__', 60_000),
  () => `{"plan":${keys((i) => `${i}`.repeat(3), 50_000)}}`,
  () => `{"input_type":"query","query":"x","a":${list('"\\ud800"', 60_000)}}`,
  (random) => filter(random.pick(texts)(8_000)),
  (random) => query(random.pick(texts)(4_000)),
  (random) =>
    inPlan(
      { kind: 'inject_context', params: { text: random.pick(texts)(20_000) } },
      { kind: 'reconstitute' },
    ),
  () =>
    inPlan(
      ...Array.from({ length: 48 }, (_, i) => ({
        kind: 'inject_context',
        params: { entities: Array.from({ length: 50 }, (_, j) => missing(i, j)) },
      })),
    ),
  (random) =>
    inPlan(
      ...Array.from({ length: 49 }, () => ({ kind: 'filter', instructions: random.pick(texts)(8_000) })),
    ),
];

/** A body that asks for as much work as one request can. */
export function flood(random: Random): string {
  return random.pick(floods)(random);
}
