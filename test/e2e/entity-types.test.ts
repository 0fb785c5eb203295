// rules.md: entities 3, entities 4, entities 6. The types of a workspace with their fields, and one record.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../functions/contract/json.ts';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import { bridgeFor, send } from '../support/sync-sender.ts';

let home: given.Home;
let cat: string;
let owner: string;
beforeAll(async () => {
  home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  [cat = '', owner = ''] = (
    await given.entities(home.workspace_id, [
      {
        type: 'animal',
        name: 'Mia',
        external_uri: 'zoo:mia',
        fields: { legs: 4, home: { city: 'Wien', floor: 2 }, tags: ['old', 'calm'], tame: true, empty: {} },
      },
      { type: 'keeper', name: 'Ada', fields: { legs: 2 } },
      {
        type: 'animal',
        name: 'Kiwi',
        fields: { legs: 2, tags: [], home: { city: 'Graz' }, name: 'K', none: null },
      },
    ])
  ).map(({ id }) => id);
  const relationships = [
    { from: { id: owner }, to: { id: cat }, type: 'feeds', metadata: {} },
    { from: { id: cat }, to: { id: cat }, type: 'admires', metadata: {} },
  ];
  await admin({ command: 'relationship.import', workspace_id: home.workspace_id, relationships });
});

const types = async (by: given.Caller = home) => (await call('GET', '/entities/types', { key: by.key })).body;
const entity = (id: string, by: given.Caller = home) => call('GET', `/entities/${id}`, { key: by.key });

describe('GET /entities/types', () => {
  test('most records first, each field by its path with kinds, count, range and samples', async () => {
    expect(await types()).toEqual({
      object: 'list',
      data: [
        {
          type: 'animal',
          count: 2,
          fields: [
            { field: 'empty', kinds: ['object'], count: 1, samples: [] },
            { field: 'home.city', kinds: ['string'], count: 2, samples: ['Wien', 'Graz'] },
            { field: 'home.floor', kinds: ['number'], count: 1, min: 2, max: 2, samples: [2] },
            { field: 'legs', kinds: ['number'], count: 2, min: 2, max: 4, samples: [4, 2] },
            { field: 'fields.name', kinds: ['string'], count: 1, samples: ['K'] },
            { field: 'tags', kinds: ['list'], count: 2, samples: ['old', 'calm'] },
            { field: 'tame', kinds: ['boolean'], count: 1, samples: [true] },
          ],
        },
        {
          type: 'keeper',
          count: 1,
          fields: [{ field: 'legs', kinds: ['number'], count: 1, min: 2, max: 2, samples: [2] }],
        },
      ],
    });
  });

  test('rule 6: a field of dates alone has their range, also after changes and deletions', async () => {
    const own = await given.workspace();
    const order = (i: number, at: Json) => ({
      ...{ type: 'order', name: `O${i}`, external_uri: `order:${i}`, fields: { at } },
    });
    const field = async () => (await types(own)).data[0]?.fields[0];
    await given.entities(own.workspace_id, [
      order(1, '2026-05-11'),
      order(2, '2025-12-31T23:30:00-01:00'),
      order(3, '2026-01-01'),
      order(4, null),
    ]);
    const dates = { field: 'at', kinds: ['date'], count: 3, min: '2026-01-01', max: '2026-05-11' };
    expect(await field()).toMatchObject(dates);
    await given.entities(own.workspace_id, [order(4, 'soon')]);
    const { min, max, ...mixed } = await field();
    expect([min, max, mixed.kinds, mixed.count]).toEqual([undefined, undefined, ['string'], 4]);
    await given.entities(own.workspace_id, [order(4, '2024-02-29'), order(1, '2026-03-01')]);
    expect(await field()).toMatchObject({ kinds: ['date'], count: 4, min: '2024-02-29', max: '2026-03-01' });
    await given.entities(own.workspace_id, [order(4, 2024), order(1, null), order(2, null)]);
    expect(await field()).toMatchObject({ kinds: ['number', 'string'], count: 2, min: 2024, max: 2024 });
    await given.entities(own.workspace_id, [order(4, '2026-02-30')]);
    expect((await field()).kinds).toEqual(['string']);
  });

  test('counts, ranges and samples follow changes and deletions', async () => {
    const own = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
    const company = (i: number, revenue: Json, id?: string) => ({
      ...{ type: 'company', name: `C${i}`, external_uri: `company:${i}`, ...(id !== undefined && { id }) },
      fields: { revenue },
    });
    const saved = await given.entities(
      own.workspace_id,
      Array.from({ length: 8 }, (_, i) => company(i + 1, (i + 1) * 10)),
    );
    const change = (i: number, revenue: Json) =>
      given.entities(own.workspace_id, [company(i, revenue, saved[i - 1]?.id)]);
    const revenue = async () =>
      (await types(own)).data[0]?.fields.find(({ field }: { field: string }) => field === 'revenue');
    expect(await revenue()).toMatchObject({ count: 8, min: 10, max: 80, samples: [10, 20, 30, 40, 50] });
    await change(8, 45);
    await change(1, 'unknown');
    expect(await revenue()).toMatchObject({ kinds: ['number', 'string'], count: 8, min: 20, max: 70 });
    const bridge = await bridgeFor(own.workspace_id);
    for (const id of ['1', '7'])
      await send(bridge, { resource: { type: 'company', id }, operation: 'delete' });
    const left = await revenue();
    expect(left).toMatchObject({ kinds: ['number'], count: 6, min: 20, max: 60 });
    expect([20, 30, 40, 45, 50, 60]).toEqual(expect.arrayContaining(left.samples));
    expect(new Set(left.samples).size).toBe(5);
  });

  test('long texts are cut, and a workspace without records has no types', async () => {
    const own = await given.workspace();
    expect(await types(own)).toEqual({ object: 'list', data: [] });
    await given.entities(own.workspace_id, [
      { type: 'note', name: 'N', fields: { text: 'word '.repeat(100) } },
    ]);
    const [{ fields }] = (await types(own)).data;
    expect(fields[0].samples[0]).toMatch(/^(word )+w?o?r?d?…$/);
    expect(fields[0].samples[0].length).toBeLessThanOrEqual(60);
  });
});

describe('GET /entities/{id}', () => {
  test('the record with its relationships, each with its direction', async () => {
    const { status, body } = await entity(cat);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'entity',
      id: cat,
      type: 'animal',
      name: 'Mia',
      external_uri: 'zoo:mia',
      fields: { legs: 4, home: { city: 'Wien', floor: 2 }, tags: ['old', 'calm'], tame: true, empty: {} },
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      relationships: expect.arrayContaining([
        { direction: 'in', type: 'feeds', entity_id: owner, name: 'Ada', entity_type: 'keeper' },
        { direction: 'out', type: 'admires', entity_id: cat, name: 'Mia', entity_type: 'animal' },
      ]),
    });
    expect(body.relationships).toHaveLength(2);
    expect((await entity(owner)).body.relationships).toEqual([
      { direction: 'out', type: 'feeds', entity_id: cat, name: 'Mia', entity_type: 'animal' },
    ]);
  });

  test('at most 100 relationships, the newest first', async () => {
    const own = await given.workspace();
    const [hub, ...others] = await given.entities(
      own.workspace_id,
      Array.from({ length: 103 }, (_, i) => ({ type: 'node', name: `N${i}` })),
    );
    const link = (to: string) => ({ from: { id: hub?.id }, to: { id: to }, type: 'knows', metadata: {} });
    const save = (relationships: object[]) =>
      admin({ command: 'relationship.import', workspace_id: own.workspace_id, relationships });
    await save(others.slice(0, -1).map(({ id }) => link(id)));
    const newest = others.at(-1)?.id ?? '';
    await save([link(newest)]);
    const { relationships } = (await entity(String(hub?.id), own)).body;
    expect(relationships).toHaveLength(100);
    expect(relationships[0].entity_id).toBe(newest);
  });

  test('an id that is unknown, malformed or of another workspace is the same 404', async () => {
    const foreign = await given.workspace();
    const refusals = [
      await entity('0b2a4c6e-0000-4000-8000-000000000001'),
      await entity('no-id'),
      await entity('%20'),
      await entity(cat, foreign),
    ];
    for (const reply of refusals) expectRefusal(reply, 404, 'entity_not_found');
    expect(new Set(refusals.map(({ body }) => body.error.message)).size).toBe(1);
  });

  test('the id may be in upper case', async () => {
    expect((await entity(cat.toUpperCase())).body.id).toBe(cat);
  });
});
