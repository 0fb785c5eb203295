// rules.md: sources 12, sources 14. Habits of MCP servers, on a transport that answers as a test says.
import { describe, expect, test } from 'vitest';
import { mcpPages } from '#domain/sources/mcp-pages.ts';
import type { OpenSource } from '#domain/sources/source-pages.ts';
import type { Outcome, Send } from '#outbound/request.ts';

const source: OpenSource = {
  workspace_id: 'w',
  name: 'crm',
  kind: 'mcp',
  description: '',
  entity_type: 'crm',
  tool: 'find',
  fields: [],
  timeout_ms: 1000,
  created_at: 0,
  url: 'https://crm.example.com/mcp',
  secret: 's',
  headers: {},
};
const request = { run_id: 'r', step_index: 0, query: 'q', limit: 10_000 };
const call = { timeoutMs: 5000, signal: new AbortController().signal };

interface Server {
  /** The result of the tool, or its JSON text. */
  result: object | string;
  limit?: object;
  cursor?: boolean;
  notified?: number;
}

const replyOf = (status: number, body: string): Outcome => ({
  kind: 'response',
  duration_ms: 1,
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
});

/** A server with one tool, and the arguments with which that was called. */
function server({ result, limit = { type: 'integer' }, cursor = true, notified = 202 }: Server) {
  const called: Record<string, unknown>[] = [];
  const send: Send = async ({ body }) => {
    const { id, method, params } = JSON.parse(String(body));
    const answer = (value: object) => replyOf(200, JSON.stringify({ jsonrpc: '2.0', id, result: value }));
    if (id === undefined) return replyOf(notified, '');
    if (method === 'initialize')
      return answer({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      });
    if (method === 'tools/list') {
      const properties = { query: { type: 'string' }, limit, ...(cursor && { cursor: { type: 'string' } }) };
      return answer({ tools: [{ name: 'find', inputSchema: { type: 'object', properties } }] });
    }
    called.push(params.arguments);
    if (typeof result === 'string') return replyOf(200, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    return answer(result);
  };
  const pages = mcpPages(source, send);
  return { called, page: () => pages.page(request, call) };
}

const page = { items: [{ id: 1, name: 'One' }] };
const text = (value: unknown) => ({ type: 'text', text: JSON.stringify(value) });
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };

test.each([200, 201, 202, 204])('a notification may be acknowledged with %i', async (notified) => {
  const { items } = await server({ notified, result: { structuredContent: page, content: [] } }).page();
  expect(items).toMatchObject(page.items);
});

test.each([301, 404, 500])('a notification that is answered with %i fails', async (notified) => {
  const { page: read } = server({ notified, result: { structuredContent: page, content: [] } });
  await expect(read()).rejects.toMatchObject({ reason: 'status', status_code: notified });
});

describe('a page is', () => {
  test.each([
    ['the structured content', { structuredContent: page, content: [] }],
    ['the only text', { content: [text(page)] }],
    ['the only text beside images', { content: [image, text(page), image] }],
    ['what FastMCP wraps: a page', { structuredContent: { result: page }, content: [] }],
    ['what FastMCP wraps: a list of items', { structuredContent: { result: page.items }, content: [] }],
    [
      'what FastMCP wraps: a text that is JSON',
      { structuredContent: { result: JSON.stringify(page) }, content: [] },
    ],
    [
      'what FastMCP wraps: a text that is a list',
      { structuredContent: { result: JSON.stringify(page.items) }, content: [] },
    ],
    ['what is wrapped in a text', { content: [text({ result: page.items })] }],
  ])('%s', async (_, result) => {
    expect((await server({ result }).page()).items).toMatchObject(page.items);
  });
});

test.each([
  ['two texts', { content: [text(page), text(page)] }, 'the result of the tool has 2 texts'],
  ['an image alone', { content: [image] }, 'the result of the tool has 0 texts'],
  ['prose', { content: [{ type: 'text', text: 'Here you are' }] }, 'the text of the tool is not JSON'],
  ['a wrapped number', { structuredContent: { result: 7 }, content: [] }, 'the reply is a number'],
  [
    'an item without a name',
    { structuredContent: { items: [{ name: null }] }, content: [] },
    'items[0].name is null',
  ],
  [
    'a number that a double does not keep',
    '{"content":[],"structuredContent":{"items":[{"name":"x","fields":{"n":9007199254740993}}]}}',
    'items[0].fields.n is 9007199254740993',
  ],
])('%s is a shape that says so', async (_, result, message) => {
  await expect(server({ result }).page()).rejects.toMatchObject({
    reason: 'shape',
    message: expect.stringContaining(message),
  });
});

describe('the maximum of a limit is obeyed', () => {
  const result = { structuredContent: { ...page, next_cursor: 'more' }, content: [] };
  test.each([
    [{ type: 'integer', maximum: 100 }, 100],
    [{ type: 'integer', exclusiveMaximum: 101 }, 100],
    [{ anyOf: [{ type: 'integer', maximum: 50 }, { type: 'null' }] }, 50],
    [{ type: 'number', maximum: 20.5 }, 20],
    [{ type: 'integer', maximum: 0 }, 1],
    [{ type: 'integer', maximum: 'many' }, 10_000],
    [{ type: 'integer' }, 10_000],
  ])('%j', async (limit, sent) => {
    const { called, page: read } = server({ result, limit });
    expect(await read()).toMatchObject({ has_more: true, cursor: 'more' });
    expect(called).toEqual([{ query: 'q', limit: sent }]);
  });

  test('and a tool without a cursor that gives as many may have more', async () => {
    const one = { result: { structuredContent: page, content: [] }, cursor: false };
    const limited = await server({ ...one, limit: { type: 'integer', maximum: 1 } }).page();
    expect([limited.has_more, limited.cursor]).toEqual([true, undefined]);
    const free = await server({ ...one, limit: { type: 'integer', maximum: 2 } }).page();
    expect([free.has_more, free.cursor]).toEqual([false, undefined]);
  });
});

test('the words of a tool that reports an error are those of the failure', async () => {
  const words = { isError: true, content: [image, { type: 'text', text: 'No permission for customer 42' }] };
  await expect(server({ result: words }).page()).rejects.toMatchObject({
    reason: 'tool',
    message: 'No permission for customer 42',
  });
});
