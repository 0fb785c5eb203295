// rules.md: sources 1, sources 3. Every call judges the address again, whatever the kind of the source.
import { expect, test } from 'vitest';
import { httpPages } from '#domain/sources/http-pages.ts';
import { mcpPages } from '#domain/sources/mcp-pages.ts';
import type { OpenSource } from '#domain/sources/source-pages.ts';
import { OutboundError } from '#outbound/failure.ts';
import { createOutbound } from '#outbound/request.ts';

const source: OpenSource = {
  workspace_id: 'w',
  name: 'crm',
  kind: 'http',
  description: '',
  entity_type: 'crm',
  tool: 'find',
  fields: [],
  timeout_ms: 1000,
  created_at: 0,
  url: 'https://crm.example.com/records',
  secret: 's',
  headers: {},
};
const request = { run_id: 'r', step_index: 0, query: '', limit: 1 };
const call = { timeoutMs: 1000, signal: new AbortController().signal };

test.each([
  ['http', httpPages],
  ['mcp', mcpPages],
])(
  'a source of kind %s whose name moves to an inner address is blocked before a connection',
  async (_, pagesOf) => {
    const answers = [['93.184.215.14'], ['93.184.215.14', '10.0.0.1']];
    const connected: string[][] = [];
    const { send } = createOutbound({
      lookup: async () => answers.shift() ?? [],
      connect: async ({ addresses }) => {
        connected.push([...addresses]);
        throw new OutboundError('connection_closed');
      },
    });
    const pages = pagesOf(source, send);
    await expect(pages.page(request, call)).rejects.toMatchObject({ reason: 'connection', transient: true });
    await expect(pages.page(request, call)).rejects.toMatchObject({ reason: 'address', transient: false });
    expect(connected).toEqual([['93.184.215.14']]);
  },
);
