// rules.md: sources 4. Over HTTP, with MCP servers on loopback.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { setUp } from '../support/live-source.ts';
import { everything, type McpSource, mcpSource } from '../support/mcp-source.ts';
import { fetchedBy } from '../support/outcomes.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';

let home: given.Home;
const servers: McpSource[] = [];
beforeAll(async () => {
  home = await given.workspace();
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** How a fetch of the source failed. */
async function failureOf(source: string) {
  const { id } = (await createsPlanRun(home, [{ kind: 'fetch', params: { source } }])).body;
  const run = await then.ended(home, id);
  expect(run.status).toBe('failed');
  return run.errors[0];
}

const tickets = Array.from({ length: 5 }, (_, i) => ({ id: i, name: `Ticket ${i}`, fields: { level: i } }));

test('a tool is called with the params that it takes, page by page', async () => {
  const calls: object[] = [];
  const server = await mcpSource((args, tool) => {
    calls.push(args);
    if (tool === 'list')
      return { content: [{ type: 'text', text: JSON.stringify({ items: tickets, next_cursor: 'x' }) }] };
    return args.cursor ? { items: tickets.slice(3) } : { items: tickets.slice(0, 3), next_cursor: 'more' };
  });
  servers.push(server);
  const headers = { Authorization: 'Bearer of-the-desk' };
  await setUp(home, { name: 'desk', kind: 'mcp', url: server.url, tool: 'find', headers });
  const where = { field: 'level', op: '>', value: 1 };
  const { names, truncated } = await fetchedBy(home, { source: 'desk', query: 'ticket', where, limit: 2 });
  expect(names).toEqual(['Ticket 2', 'Ticket 3']);
  expect(truncated).toEqual({ matched: 3, returned: 2 });
  expect(calls).toEqual([
    { query: 'ticket', limit: 10_000 },
    { query: 'ticket', limit: 10_000, cursor: 'more' },
  ]);
  expect(server.asked.map(({ authorization }) => authorization)).toEqual(
    server.asked.map(() => 'Bearer of-the-desk'),
  );
  // A tool without a cursor has one page; its only text is JSON.
  await setUp(home, { name: 'shelf', kind: 'mcp', url: server.url, tool: 'list' });
  const shelf = await fetchedBy(home, { source: 'shelf' });
  expect(shelf.rows).toHaveLength(5);
  expect(shelf.truncated).toEqual({ returned: 5 });
  expect(calls.at(-1)).toEqual({});
});

test('a tool that is missing, or reports an error, fails the step for good', async () => {
  const server = await mcpSource(() => ({ isError: true, content: [{ type: 'text', text: 'no' }] }));
  servers.push(server);
  await setUp(home, { name: 'wrong', kind: 'mcp', url: server.url, tool: 'find' });
  await setUp(home, { name: 'gone', kind: 'mcp', url: server.url, tool: 'nothing' });
  for (const source of ['wrong', 'gone'])
    expect(await failureOf(source)).toMatchObject({
      code: 'source_failed',
      type: 'unavailable',
      details: { source, reason: 'tool', step_index: 0 },
    });
});

test('the reference server is understood: a session, answers as events, and the end of the session', async () => {
  const server = await everything();
  servers.push(server);
  const tool = (name: string, tool: string) => setUp(home, { name, kind: 'mcp', url: server.url, tool });
  await tool('env', 'get-env');
  await tool('sum', 'get-sum');
  await tool('none', 'no-such-tool');
  // The variables are JSON, but no items; a sum needs numbers.
  expect((await failureOf('env')).details).toMatchObject({ reason: 'shape' });
  expect((await failureOf('sum')).details).toMatchObject({ reason: 'tool' });
  expect((await failureOf('none')).details).toMatchObject({ reason: 'tool' });
  expect(server.sessions()).toBe(0);
});
