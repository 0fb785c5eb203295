// rules.md: links 5. Many who open one link and read nothing: they keep out each other, and nobody else.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../functions/contract/limits.ts';
import * as given from '../support/given.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const { artifact_link_readers_max: most } = limits;
const ROWS = 1600;
let home: given.Home;
let id: string;
const open: IncomingMessage[] = [];
afterAll(() => {
  for (const response of open) response.destroy();
});

/** More than the buffers between the service and a reader hold. */
beforeAll(async () => {
  home = await given.workspace();
  const fields = { notes: 'lorem ipsum '.repeat(1000) };
  const records = Array.from({ length: ROWS }, (_, i) => ({ type: 'company', name: `Company ${i}`, fields }));
  for (let i = 0; i < ROWS; i += 200) await given.entities(home.workspace_id, records.slice(i, i + 200));
  const steps = [
    { kind: 'fetch', params: { source: 'companies', limit: ROWS } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ];
  const run = await then.ended(home, (await when.createsPlanRun(home, steps)).body.id);
  id = run.artifacts[0].id;
}, 120_000);

const newLink = async (): Promise<string> =>
  (await call('POST', `/artifacts/${id}/links`, { key: home.key, body: { format: 'csv' } })).body.url;

/** Opens a link and reads nothing but the head. */
async function hold(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url, { agent: false }), 'response');
  open.push(response);
  return response;
}

test('a link has twenty readers at once, and one more is told when to come again', async () => {
  const url = await newLink();
  const held = await Promise.all(Array.from({ length: most + 10 }, () => hold(url)));
  const statuses = held.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(most);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const path = url.slice(url.indexOf('/artifacts/'));
  const { status, headers, body } = await call('GET', path);
  expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);

  const limited = `/artifacts/${id}?format=csv&limit=1`;
  expect((await call('GET', limited, { key: home.key })).status).toBe(200);
  expect((await fetch(await newLink(), { method: 'HEAD' })).status).toBe(200);
  expect((await hold(await newLink())).statusCode).toBe(200);

  held.find(({ statusCode }) => statusCode === 200)?.destroy();
  await until('a free place', async () => (await hold(url)).statusCode === 200 || undefined);
});

test('readers who read leave their places at once', async () => {
  const url = await newLink();
  for (let i = 0; i < most + 2; i += 1) {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    await response.text();
  }
});
