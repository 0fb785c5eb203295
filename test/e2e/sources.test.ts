// rules.md: sources. Over HTTP, with sources on loopback.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { type LiveSource, liveSource, setUp, status } from '../support/live-source.ts';
import { fetchedBy, groupsOf } from '../support/outcomes.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { answer, createsPlanRun, readsLog, rerunsFrom } from '../support/when.ts';

const deals = [
  { id: 7, name: 'Acme renewal', type: 'deal', fields: { city: 'Oslo', amount: 30, open: true } },
  { id: 'd2', name: 'Borealis [pilot](x=1)', fields: { city: 'Rome', amount: 12, note: '<b>*hot*</b>' } },
  { external_uri: 'crm:3', name: 'Cobalt upgrade', fields: { city: 'Oslo', amount: 50 } },
  { name: 'Delta trial', fields: { city: 'Bonn' }, type: null, unknown: 1 },
];

let home: given.Home;
let crm: LiveSource;
let secret: string;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  crm = await liveSource(() => ({ items: deals }));
  secret = await setUp(home, {
    name: 'crm',
    kind: 'http',
    url: crm.url,
    description: 'Deals of the sales team',
    entity_type: 'opportunity',
    headers: { 'X-Api-Token': 'token-of-the-crm' },
    fields: [
      { name: 'amount', kind: 'number' },
      { name: 'city', kind: 'string' },
      { name: 'owner', kind: 'string' },
    ],
  });
});
afterAll(() => crm.close());

test('a fetch of a source asks for a page, signed with the secret of the source', async () => {
  const before = crm.asked.length;
  const { rows, truncated } = await fetchedBy(home, { source: 'crm' });
  expect(crm.asked).toHaveLength(before + 1);
  const asked = crm.asked[before];
  expect(asked?.body).toEqual({ run_id: expect.any(String), step_index: 0, query: '', limit: 100 });
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(asked?.headers['x-service-signature'] ?? '') ?? [];
  expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${asked?.raw}`).digest('hex'));
  expect(asked?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-api-token': 'token-of-the-crm',
    'x-request-id': expect.any(String),
  });
  // Names are plain text, and strings are escaped as those of records are.
  expect(rows.map(({ name }) => name)).toEqual([
    'Acme renewal',
    String.raw`Borealis \[pilot\]\(x=1)`,
    'Cobalt upgrade',
    'Delta trial',
  ]);
  expect(rows[1]?.note).toBe('&lt;b>*hot*&lt;/b>');
  expect(truncated).toBeUndefined();
});

test('conditions, orders, words, fields and groups hold over what came', async () => {
  const before = crm.asked.length;
  const where = { field: 'city', op: '=', value: 'Oslo' };
  const sort = [{ field: 'amount', direction: 'desc' }];
  const [rich, worded, typed, grouped] = await Promise.all([
    fetchedBy(home, { source: 'crm', where, sort, limit: 1, fields: ['amount', 'external_id', 'id'] }),
    fetchedBy(home, { source: 'crm', query: 'trial renewal' }),
    fetchedBy(home, { source: 'crm', entity_types: ['deals'], fields: ['external_id'] }),
    fetchedBy(home, {
      source: 'crm',
      group_by: ['city'],
      measures: [{ as: 'sum', op: 'sum', field: 'amount' }],
    }),
  ]);
  expect(rich.rows).toEqual([{ name: 'Cobalt upgrade', amount: 50, id: expect.any(String) }]);
  expect(rich.truncated).toEqual({ matched: 2, returned: 1 });
  expect(worded.names).toEqual(['Acme renewal', 'Delta trial']);
  expect(typed.rows).toEqual([{ name: 'Acme renewal', external_id: '7' }]);
  expect(groupsOf(grouped)).toEqual([
    { city: 'Oslo', sum: 80 },
    { city: 'Rome', sum: 12 },
    { city: 'Bonn', sum: null },
  ]);
  const bodies = crm.asked.slice(before).map(({ body }) => body);
  expect(bodies.find((body) => body.where)).toMatchObject({ where, sort, limit: 10_000 });
  expect(bodies.find((body) => body.query !== '')).toMatchObject({ query: 'trial renewal', limit: 10_000 });
});

test('the fetch keeps what came: later steps, a resume and a rerun ask no more', async () => {
  const before = crm.asked.length;
  const steps = [
    { kind: 'fetch', params: { source: 'crm' } },
    { kind: 'filter', instructions: 'amount over 20' },
    { kind: 'transform', params: { output_fields: ['headline'] }, instructions: 'Write a headline' },
    { kind: 'discover', params: { query: 'Acme' } },
    { kind: 'analyze', instructions: 'Compare them [[fail-once]]' },
    answer,
  ];
  const { id } = (await createsPlanRun(home, steps)).body;
  expect(await then.ended(home, id)).toMatchObject({ status: 'failed', resumable: true });
  expect((await call('POST', `/runs/${id}/resume`, { key: home.key })).status).toBe(202);
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
  const again = (await rerunsFrom(home, id, 5)).body.id;
  const run = await then.ended(home, again);
  expect(run).toMatchObject({ status: 'succeeded' });
  const table = run.artifacts.find(({ kind }: { kind: string }) => kind === 'table');
  const { rows } = (await call('GET', `/artifacts/${table.id}`, { key: home.key })).body;
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['Acme renewal', 'Cobalt upgrade']),
  );
  expect(crm.asked).toHaveLength(before + 1);
});

test('an item has the same id in each run, of its own id, its address or its content', async () => {
  const ids = async () => (await fetchedBy(home, { source: 'crm', fields: ['id'] })).rows.map(({ id }) => id);
  const first = await ids();
  expect(new Set(first).size).toBe(4);
  expect(await ids()).toEqual(first);
  // They are in no index.
  const found = await call('GET', '/entities?query=Cobalt%20upgrade', { key: home.key });
  expect(found.body.data).toEqual([]);
});

test('pages are followed until there are as many items as asked for, or none', async () => {
  const paged = await liveSource(({ body }) => {
    const from = Number(body.cursor ?? 0);
    const items = Array.from({ length: 40 }, (_, i) => ({ id: from + i, name: `Item ${from + i}` }));
    return { items, next_cursor: from < 160 ? String(from + 40) : null };
  });
  await setUp(home, { name: 'paged', kind: 'http', url: paged.url });
  const some = await fetchedBy(home, { source: 'paged' });
  expect(some.rows).toHaveLength(100);
  expect(some.truncated).toEqual({ returned: 100 });
  expect(paged.asked.map(({ body }) => body.cursor)).toEqual([undefined, '40', '80']);
  const all = await fetchedBy(home, { source: 'paged', limit: 1000 });
  expect(all.rows).toHaveLength(200);
  expect(all.truncated).toBeUndefined();
  expect((await fetchedBy(home, { source: 'paged', sort: 'name_asc', limit: 3 })).truncated).toEqual({
    matched: 200,
    returned: 3,
  });
  paged.close();
});

test('429 and 5xx are tried again, and each try is in the log', async () => {
  const busy = await liveSource((_, number) =>
    number < 2 ? status(number === 0 ? 429 : 503) : { items: deals },
  );
  await setUp(home, { name: 'busy', kind: 'http', url: busy.url });
  const { id } = (await createsPlanRun(home, [{ kind: 'fetch', params: { source: 'busy' } }])).body;
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
  const retries = (await readsLog(home, id)).filter(({ event_type }) => event_type === 'step.retrying');
  expect(retries.map(({ data }) => data)).toMatchObject(
    [429, 503].map((status_code, i) => ({
      attempt: i + 1,
      max_attempts: 3,
      error: {
        code: 'source_failed',
        details: { source: 'busy', reason: 'status', status_code, step_index: 0 },
      },
    })),
  );
  await then.soundLog(home, id);
  busy.close();
});

test('a source wins over a type of its name in a fetch, and is unknown elsewhere and once deleted', async () => {
  const { workspace_id } = home;
  const file = { name: 'company', kind: 'http' as const, url: crm.url };
  await setUp(home, file);
  expect((await fetchedBy(home, { source: 'company' })).names).toContain('Cobalt upgrade');
  const unknown = (
    await createsPlanRun(home, [{ kind: 'vector_search', params: { source: 'crm', query: 'x' } }])
  ).body;
  expect((await then.ended(home, unknown.id)).warnings).toMatchObject([{ code: 'source_not_found' }]);
  await admin({ command: 'source.delete', workspace_id, name: 'company' });
  expect((await fetchedBy(home, { source: 'company' })).names).toContain('Borealis');
});

test('callers see names and fields of their own sources only, never addresses, headers or secrets', async () => {
  const reply = await call('GET', '/sources', { key: home.key });
  const described = reply.body.data.find(({ name }: { name: string }) => name === 'crm');
  expect(described).toEqual({
    name: 'crm',
    kind: 'http',
    description: 'Deals of the sales team',
    entity_type: 'opportunity',
    fields: [
      { name: 'amount', kind: 'number' },
      { name: 'city', kind: 'string' },
      { name: 'owner', kind: 'string' },
    ],
  });
  const other = await given.workspace();
  expect((await call('GET', '/sources', { key: other.key })).body.data).toEqual([]);
  const run = (await createsPlanRun(other, [{ kind: 'fetch', params: { source: 'crm' } }])).body;
  expect((await then.ended(other, run.id)).warnings).toMatchObject([{ code: 'source_not_found' }]);
});
