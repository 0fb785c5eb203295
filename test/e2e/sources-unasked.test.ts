// rules.md: sources 9, sources 10. A live source cannot make the service call it more often, or wait longer, than a try
// of a page may.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../functions/contract/limits.ts';
import * as given from '../support/given.ts';
import { type LiveSource, liveSource, setUp } from '../support/live-source.ts';
import { type Asked, answersOf, inEvents, later, type Reply } from '../support/raw-mcp.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';

let home: given.Home;
const servers: LiveSource[] = [];
beforeAll(async () => {
  home = await given.workspace();
});
afterAll(() => {
  for (const server of servers) server.close();
});

type Answer = Parameters<typeof liveSource>[0];
interface Setting {
  kind?: 'http' | 'mcp';
  timeout_ms?: number;
  config?: object;
}
let made = 0;

/** Begins a fetch from a source that answers so. */
async function fetching(answer: Answer, { kind = 'mcp', timeout_ms = 30_000, config = {} }: Setting = {}) {
  const server = await liveSource(answer);
  servers.push(server);
  made += 1;
  const name = `unasked-${made}`;
  const tool = kind === 'mcp' ? { tool: 'find' } : {};
  await setUp(home, { name, kind, url: server.url, timeout_ms, ...tool });
  const steps = [{ kind: 'fetch', params: { source: name } }];
  const { id } = (await createsPlanRun(home, steps, { config })).body;
  return { server, id, methods: () => server.asked.map(({ body }) => body?.method) };
}

const page = (name: string) => ({ structuredContent: { items: [{ name }] }, content: [] });

const drip = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const writing = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(writing));
};
const silence = () => undefined;

test('what a server asks or reports in any of its replies is answered by no message of ours', async () => {
  const flood = Array.from({ length: 1000 }, (_, i) => [
    { jsonrpc: '2.0', id: i, method: 'ping' },
    { jsonrpc: '2.0', id: `s${i}`, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ]).flat();
  const { id, methods } = await fetching(
    answersOf({ result: page('found') }, (reply) => inEvents([...flood, reply])),
  );
  expect(await then.ended(home, id)).toMatchObject({
    status: 'succeeded',
    message: expect.stringContaining('1'),
  });
  expect(methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
});

test('a reply that has only requests is no page', async () => {
  const pings = (): Reply => inEvents([{ jsonrpc: '2.0', id: 7, method: 'ping' }]);
  const { id, methods } = await fetching(answersOf({ result: page('never') }, pings));
  expect((await then.ended(home, id)).errors[0].details).toMatchObject({ reason: 'shape' });
  expect(methods()).toEqual(['initialize']);
});

test('a list of tools that never ends is read for 20 pages, and the page of a try takes at most 25 messages', async () => {
  const { id, methods } = await fetching(
    answersOf({ result: page('never'), tools: { tools: [], nextCursor: 'more' } }),
  );
  expect((await then.ended(home, id)).errors[0].details).toMatchObject({ reason: 'tool' });
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(limits.source_tool_pages_max);
  expect(methods().length).toBeLessThanOrEqual(limits.source_messages_max);
});

test('the params of a tool are asked for once in a step', async () => {
  const pages = [{ items: [{ name: 'a' }], next_cursor: 'x' }, { items: [{ name: 'b' }] }];
  const { id, methods } = await fetching(
    answersOf({ result: () => ({ structuredContent: pages.shift(), content: [] }), params: { cursor: {} } }),
  );
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
  expect(methods().filter((method) => method?.startsWith('tools/'))).toEqual([
    'tools/list',
    'tools/call',
    'tools/call',
  ]);
});

test('a try of a page ends after its time, though each of its messages is answered in less', async () => {
  const { id, methods } = await fetching(
    answersOf({ result: page('late') }, (reply) => later(500, reply)),
    { timeout_ms: 800 },
  );
  expect((await then.ended(home, id, 30_000)).errors[0].details).toMatchObject({ reason: 'timeout' });
  expect(methods().filter((method) => method === 'initialize')).toHaveLength(3);
  expect(methods()).not.toContain('tools/call');
});

const endless: [string, Answer, Setting][] = [
  ['an HTTP source that sends nothing', () => silence, { kind: 'http' }],
  ['an HTTP source that drips', () => drip, { kind: 'http' }],
  ['an MCP server that sends nothing', () => silence, { kind: 'mcp' }],
  [
    'an MCP server whose tool drips',
    answersOf({ result: page('never') }, (reply, { body }) => (body.method === 'tools/call' ? drip : reply)),
    { kind: 'mcp' },
  ],
];

test.each(endless)('the deadline of the run ends the page of %s, and the run', async (_, answer, setting) => {
  const { id, server } = await fetching(answer, { ...setting, config: { timeout_seconds: 1 } });
  const run = await then.ended(home, id, 10_000);
  expect(run.errors).toMatchObject([
    { code: 'run_timed_out', details: { limit: 'timeout_seconds', step_index: 0 } },
  ]);
  expect(run.artifacts).toEqual([]);
  expect(server.asked.length).toBeLessThanOrEqual(4);
});

test('a deadline ends the pause between two tries', async () => {
  const { id } = await fetching(() => (response) => void response.destroy(), {
    kind: 'http',
    config: { timeout_seconds: 1 },
  });
  expect((await then.ended(home, id, 10_000)).errors).toMatchObject([{ code: 'run_timed_out' }]);
});

test('a cancel closes the connection to an MCP server', async () => {
  let closed = false;
  const hang = (response: ServerResponse) => void response.on('close', () => (closed = true));
  const hangs = (reply: Reply, { body }: Asked) => (body.method === 'tools/call' ? hang : reply);
  const { id, methods } = await fetching(answersOf({ result: page('never') }, hangs));
  await until('the call', async () => methods().includes('tools/call') || undefined);
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  expect(await then.ended(home, id, 10_000)).toMatchObject({ status: 'canceled', artifacts: [] });
  await until('the end of the connection', async () => closed || undefined);
});
