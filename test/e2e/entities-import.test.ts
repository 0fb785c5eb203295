// rules.md: entities 7, entities 8. Records come in by the API.
import { describe, expect, test } from 'vitest';
import type { EntityLine } from '../../functions/contract/entities.ts';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const imports = (home: given.Caller, records: unknown, more: object = {}) =>
  call('POST', '/entities/import', { key: home.key, body: { records, ...more } });
const takes = async (home: given.Caller, records: unknown, more: object = {}) => {
  const { status, body } = await imports(home, records, more);
  expect(status).toBe(200);
  return body;
};
const order = (n: number, names: Partial<EntityLine> = {}): EntityLine => ({
  type: 'order',
  name: `Order ${n}`,
  fields: { n },
  ...names,
});
/** The fields `n` of all orders, in a run created now. */
const orders = async (home: given.Home): Promise<number[]> => {
  const steps = [
    { kind: 'fetch', params: { source: 'order', sort: [{ field: 'n' }], limit: 10_000 } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ];
  const { body } = await when.createsPlanRun(home, steps);
  const { artifacts } = await then.ended(home, body.id);
  const table = await call('GET', `/artifacts/${artifacts[0].id}`, { key: home.key });
  return table.body.rows.map(({ n }: { n: number }) => n);
};

const named: [string, (n: number) => EntityLine][] = [
  ['an external_uri', (n) => order(n, { external_uri: `shop:${n}` })],
  ['an external_id with its source', (n) => order(n, { external_id: `${n}`, source: 'custom' })],
  ['no name of outside', (n) => order(n)],
  ['no name of outside, all alike', (n) => ({ ...order(n), name: 'Order' })],
];

describe('POST /entities/import', () => {
  test.each(named)(
    'lines with %s are records of the next run; sent again they are unchanged',
    async (_, line) => {
      const home = await given.workspace();
      const lines = [1, 2, 3].map(line);
      const counts = { imported: 3, created: 3, updated: 0, unchanged: 0, errors: [] };
      expect(await takes(home, lines)).toEqual(counts);
      expect(await orders(home)).toEqual([1, 2, 3]);
      expect(await takes(home, lines)).toEqual({ ...counts, created: 0, unchanged: 3 });
      const changed = lines.with(1, { ...line(2), fields: { n: 7 } });
      expect(await takes(home, changed)).toEqual({ ...counts, created: 0, updated: 1, unchanged: 2 });
      expect(await orders(home)).toEqual([1, 3, 7]);
    },
  );

  test.each(named)(
    'the same lines with %s sent five times at once make each record once',
    async (_, line) => {
      const home = await given.workspace();
      const lines = Array.from({ length: 120 }, (_, n) => line(n));
      const answers = await Promise.all(Array.from({ length: 5 }, () => takes(home, lines)));
      expect(answers.map(({ imported }) => imported)).toEqual(Array(5).fill(120));
      expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(120);
      expect(await orders(home)).toEqual(lines.map((_, n) => n));
    },
  );
});
