// rules.md: webhooks 7, webhooks 8. The deliveries of a workspace, and redelivery of the failed ones.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call, until } from '../support/service.ts';
import * as when from '../support/when.ts';
import { type CustomerServer, customer, status } from './webhook-receiver.ts';

const quick = [{ kind: 'inject_context', params: { text: 'x' } }];

interface Listed {
  run_id: string;
  event_id: string;
  status: string;
  created_at: number;
  attempts: object[];
}

const reads = (home: given.Caller, query = '') =>
  call('GET', `/webhook-deliveries?${query}`, { key: home.key });
const lists = async (home: given.Caller, query = ''): Promise<Listed[]> =>
  (await reads(home, query)).body.data;
const redelivers = (home: given.Caller, body: object) =>
  call('POST', '/webhook-deliveries/redeliver', { key: home.key, body });

/** Runs one after another, each reported before the next begins; returns their ids. */
async function reported(home: given.Home, servers: Pick<CustomerServer, 'url'>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { url } of servers) {
    const { id } = (await when.createsPlanRun(home, quick, { callback_url: url })).body;
    ids.push(id);
    await until('its delivery', async () => {
      const [newest] = await lists(home, 'limit=1');
      return (newest !== undefined && newest.run_id === id && newest.status !== 'pending') || undefined;
    });
  }
  return ids;
}

const settled = (home: given.Home) =>
  until('no delivery pending', async () => (await lists(home, 'status=pending')).length === 0 || undefined);

test('the list has the deliveries of all runs, newest first, by status and by time, in pages', async () => {
  const home = await given.workspace();
  const [taking, refusing] = [await customer(status(200)), await customer(status(410))];
  const ids = await reported(home, [taking, refusing, taking, refusing, taking]);
  const all = await lists(home);
  expect(all.map(({ run_id }) => run_id)).toEqual(ids.toReversed());
  expect(all[1]).toMatchObject({
    ...{ run_id: ids[3], event_type: 'run.succeeded', url: refusing.url, status: 'failed' },
    attempts: [{ status_code: 410 }],
  });
  const own = (await call('GET', `/runs/${ids[3]}/webhook-deliveries`, { key: home.key })).body.data[0];
  const { run_id: _, created_at, ...same } = all[1] ?? { created_at: 0 };
  expect(same).toEqual(own);
  expect(created_at).toBe((await when.readsRun(home, ids[3] ?? '')).completed_at);

  const idsOf = async (query: string) => (await lists(home, query)).map(({ run_id }) => run_id);
  expect(await idsOf('status=failed')).toEqual([ids[3], ids[1]]);
  expect(await idsOf('status=delivered')).toEqual([ids[4], ids[2], ids[0]]);
  expect(await idsOf('status=pending')).toEqual([]);
  const [second, fourth] = [all[3]?.created_at, all[1]?.created_at];
  expect(await idsOf(`created_after=${second}&created_before=${fourth}`)).toEqual([ids[2]]);
  expect(await idsOf(`status=failed&created_after=${second}`)).toEqual([ids[3]]);

  for (const filter of ['', 'status=delivered', 'status=failed']) {
    const paged: string[] = [];
    let page = (await reads(home, `${filter}&limit=1`)).body;
    for (;;) {
      paged.push(...page.data.map(({ run_id }: Listed) => run_id));
      if (!page.has_more) break;
      page = (await reads(home, `${filter}&limit=1&cursor=${page.next_cursor}`)).body;
    }
    expect(page.next_cursor).toBeNull();
    expect(paged).toEqual(await idsOf(filter));
  }
});

test('failed deliveries get one new attempt each, with one entry in the audit; others are passed over', async () => {
  const home = await given.workspace();
  const [taking, moody] = [
    await customer(status(200)),
    await customer(status(410), status(410), status(200), status(410)),
  ];
  const [delivered, first, second] = await reported(home, [taking, moody, moody]);
  const times = await lists(home, 'status=failed');
  const before = times[0]?.created_at;
  const reply = await redelivers(home, { status: 'failed', created_before: before });
  expect([reply.status, reply.body]).toEqual([202, { redelivered: 1, has_more: false }]);
  await settled(home);
  const states = async () => Object.fromEntries((await lists(home)).map((one) => [one.run_id, one.status]));
  expect(await states()).toEqual({
    [`${delivered}`]: 'delivered',
    [`${first}`]: 'delivered',
    [`${second}`]: 'failed',
  });

  expect((await redelivers(home, { status: 'failed', created_after: before })).body.redelivered).toBe(0);
  expect((await redelivers(home, { status: 'failed' })).body).toEqual({ redelivered: 1, has_more: false });
  await settled(home);
  expect((await lists(home, 'status=failed')).map(({ attempts }) => attempts.length)).toEqual([2]);
  expect(taking.received).toHaveLength(1);

  const { data } = (await call('GET', '/audit', { key: home.key })).body;
  const many = { actor: home.key_id, action: 'webhook.redeliver', target: '*' };
  expect(data).toMatchObject([many, many, { action: 'key.create' }]);
});

test('scopes, wrong values and other workspaces', async () => {
  const [home, foreign] = [await given.workspace(), await given.workspace()];
  await reported(home, [await customer(status(410)), await customer(status(410))]);
  expect(await lists(foreign)).toEqual([]);
  expect((await redelivers(foreign, { status: 'failed' })).body.redelivered).toBe(0);
  const { next_cursor } = (await reads(home, 'limit=1')).body;
  for (const [param, query] of [
    ['status', 'status=lost'],
    ['status', 'status='],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['created_after', 'created_after=yesterday'],
    ['cursor', 'cursor=x'],
  ] as const)
    expectRefusal(await reads(home, query), 422, 'schema_validation_failed', { param });
  expectRefusal(await reads(foreign, `cursor=${next_cursor}`), 422, 'schema_validation_failed', {
    param: 'cursor',
  });
  for (const [param, body] of [
    ['status', { status: 'delivered' }],
    ['created_before', { status: 'failed', created_before: 'now' }],
    ['run_id', { status: 'failed', run_id: 'x' }],
  ] as const)
    expectRefusal(await redelivers(home, body), 422, 'schema_validation_failed', { param });
  expectRefusal(await redelivers(home, {}), 422, 'missing_required_field', { param: 'status' });
  const reader = await given.key(home.workspace_id, ['runs:read']);
  const creator = await given.key(home.workspace_id, ['runs:create']);
  expectRefusal(await redelivers(reader, { status: 'failed' }), 403, 'forbidden_feature');
  expectRefusal(await reads(creator), 403, 'forbidden_feature');
});
