// A large artifact harms no other reader: many at once get it whole, by any interface.
import { beforeAll, expect, test } from 'vitest';
import { agent } from '../support/agents.ts';
import * as given from '../support/given.ts';
import { call, sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const ROWS = 1000;
let home: given.Home;
let url: string;
let id: string;

beforeAll(async () => {
  home = await given.workspace();
  const fields = { notes: 'lorem ipsum '.repeat(400) };
  const records = Array.from({ length: ROWS }, (_, i) => ({ type: 'company', name: `Company ${i}`, fields }));
  await given.entities(home.workspace_id, records);
  const steps = [
    { kind: 'fetch', params: { source: 'companies', limit: ROWS } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ];
  const run = await then.ended(home, (await when.createsPlanRun(home, steps)).body.id);
  id = run.artifacts[0].id;
  url = `${sharedService().base_url}/artifacts/${id}`;
}, 60_000);

const headers = () => ({ authorization: `Bearer ${home.key}` });

test('24 requests at once get it whole', async () => {
  const texts = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const response = await fetch(url, { headers: headers() });
      return response.status === 200 ? response.text() : `${response.status}`;
    }),
  );
  expect(new Set(texts).size).toBe(1);
  const { rows, row_count, entity_refs } = JSON.parse(texts[0] ?? '');
  expect([rows.length, row_count, entity_refs]).toEqual([ROWS, ROWS, undefined]);
});

test('its links come with it when they are asked for', async () => {
  const { status, body } = await call('GET', `/artifacts/${id}?include=links`, { key: home.key });
  expect([status, body.entity_refs, body.rows.length]).toEqual([200, [], ROWS]);
});

test('HEAD answers without reading it', async () => {
  const response = await fetch(url, { method: 'HEAD', headers: headers() });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('agents that read it at once get their pages one after the other', async () => {
  const client = await agent(home.key);
  const pages = await Promise.all(
    Array.from({ length: 8 }, (_, i) => client.ask('artifact_get', { id, offset: 100 * i, limit: 1 })),
  );
  expect(pages.map(({ structuredContent }) => structuredContent.offset)).toEqual(
    pages.map((_, i) => 100 * i),
  );
  for (const { structuredContent } of pages) expect(structuredContent.row_count).toBe(ROWS);
  await client.close();
});

test('an agent that does not read its answer does not block the others', async () => {
  const silent = new AbortController();
  const params = { name: 'artifact_get', arguments: { id, limit: 500 } };
  const read = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const response = await fetch(`${sharedService().site_url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(read),
    signal: silent.signal,
  });
  expect(response.status).toBe(200);
  const client = await agent(home.key);
  const { structuredContent } = await client.ask('artifact_get', { id, limit: 1 });
  expect(structuredContent.row_count).toBe(ROWS);
  silent.abort();
  await client.close();
});

/** Each row is an eighth of what an agent may read at once. */
async function wideTable(): Promise<string> {
  const own = { type: 'book', fields: { text: 'x'.repeat(300_000), more: '_'.repeat(50_000) } };
  const records = Array.from({ length: 12 }, (_, i) => ({ ...own, name: `Book ${i}` }));
  for (const record of records) await given.entities(home.workspace_id, [record]);
  const steps = [
    { kind: 'fetch', params: { source: 'books' } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ];
  return (await then.ended(home, (await when.createsPlanRun(home, steps)).body.id)).artifacts[0].id;
}

test('what is too large to be read at once is refused as a resource, and read by pages (rules.md: agents 7)', async () => {
  const wide = await wideTable();
  const client = await agent(home.key);
  for (const large of [id, wide])
    await expect(client.read(`artifact://${large}`)).rejects.toThrow(/Read its rows with artifact_get/);
  const names: string[] = [];
  for (let offset: number | null = 0, pages = 0; offset !== null; pages += 1) {
    expect(pages).toBeLessThan(12);
    const { content, structuredContent } = await client.ask('artifact_get', { id: wide, offset });
    expect(content[0].text.length).toBeLessThan(4_100_000);
    names.push(...structuredContent.rows.map(({ name }: { name: string }) => name));
    offset = structuredContent.next_offset;
  }
  expect(new Set(names).size).toBe(12);
  await client.close();
});
