// rules.md: sources 12 to 14, traces 1, output 3. What an author of a source and a reader of its run are told.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { bytes, type LiveSource, liveSource, setUp, status } from '../support/live-source.ts';
import { type McpSource, mcpSource } from '../support/mcp-source.ts';
import { attributesOf, spansOf } from '../support/otlp.ts';
import { fetchedBy } from '../support/outcomes.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
const servers: (LiveSource | McpSource)[] = [];
beforeAll(async () => {
  home = await given.workspace();
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** A source of kind http. */
async function source(name: string, answer: Parameters<typeof liveSource>[0]) {
  const server = await liveSource(answer);
  servers.push(server);
  await setUp(home, { name, kind: 'http', url: server.url });
  return server;
}

const fetches = (name: string) => ({ kind: 'fetch', params: { source: name } });

async function ended(...steps: Record<string, unknown>[]) {
  const { body } = await when.createsPlanRun(home, steps);
  return then.ended(home, body.id);
}

test('one bad item among many is named, in the details and in the text of the error', async () => {
  const items = Array.from({ length: 51 }, (_, i) => ({ id: i, name: i === 37 ? null : `n${i}` }));
  await source('mixed', () => ({ items }));
  const { status: state, errors } = await ended(fetches('mixed'));
  expect(state).toBe('failed');
  expect(errors).toMatchObject([
    {
      code: 'source_failed',
      message: 'The source mixed could not be read: items[37].name is null',
      details: { source: 'mixed', reason: 'shape', message: 'items[37].name is null', step_index: 0 },
    },
  ]);
});

test('a number that a double does not keep is a shape with its place', async () => {
  await source('exact', () => bytes('{"items":[{"name":"x","fields":{"id":9007199254740993}}]}'));
  const [error] = (await ended(fetches('exact'))).errors;
  expect(error.details).toMatchObject({
    reason: 'shape',
    message: 'items[0].fields.id is 9007199254740993, which a double does not keep: send it as a text',
  });
});

test('other failures say what was wrong too', async () => {
  await source('teapot', () => status(418));
  const [error] = (await ended(fetches('teapot'))).errors;
  expect(error).toMatchObject({
    message: 'The source teapot could not be read: it answered with the status 418',
    details: { reason: 'status', status_code: 418, message: 'it answered with the status 418' },
  });
});

test('a numeric cursor comes back as its text', async () => {
  const server = await source('numbered', ({ body }) =>
    body.cursor === undefined
      ? { items: [{ id: 1, name: 'One' }], next_cursor: 2 }
      : { items: [{ id: 2, name: 'Two' }] },
  );
  expect((await fetchedBy(home, { source: 'numbered' })).names).toEqual(['One', 'Two']);
  expect(server.asked.map(({ body }) => body.cursor)).toEqual([undefined, '2']);
});

test('the words of a tool come through, without the values of the headers', async () => {
  const server = await mcpSource(() => ({
    isError: true,
    content: [{ type: 'text', text: 'No permission\u0000 for customer 42 with of-the-desk-1234' }],
  }));
  servers.push(server);
  const headers = { 'X-Desk': 'of-the-desk-1234' };
  await setUp(home, { name: 'desk', kind: 'mcp', url: server.url, tool: 'find', headers });
  const [error] = (await ended(fetches('desk'))).errors;
  expect(error.details).toMatchObject({
    reason: 'tool',
    message: 'No permission for customer 42 with …',
  });
  expect(JSON.stringify(error)).not.toContain('of-the-desk');
});

test('each page and each retry is a span of the trace, below its step', async () => {
  await source('paged', (_, number) => {
    if (number === 0) return status(503);
    return number === 1
      ? { items: [{ id: 1, name: 'One' }], next_cursor: 'x' }
      : { items: [{ id: 2, name: 'Two' }] };
  });
  const run = await ended(fetches('paged'));
  expect(run.status).toBe('succeeded');
  const { body } = await call('GET', `/runs/${run.id}/trace`, { key: home.key });
  const spans = spansOf(body).map((span) => ({ ...span, is: attributesOf(span) }));
  const step = spans.find(({ name }) => name === 'step fetch');
  const calls = spans.filter(({ name }) => name === 'source paged');
  expect(calls.map(({ is }) => is)).toEqual(
    [1, 1, 2].map((page) => ({ 'source.name': 'paged', 'source.page': page })),
  );
  expect(calls.map(({ status: { code } }) => code)).toEqual([2, undefined, undefined]);
  expect(calls[0]?.status.message).toBe('it answered with the status 503');
  for (const one of calls) {
    expect(one.parentSpanId).toBe(step?.spanId);
    expect(one.endTimeUnixNano).toBeDefined();
  }
  expect((await call('GET', `/runs/${run.id}/trace`, { key: home.key })).body).toEqual(body);
});

test('a call that fails its step is a span too', async () => {
  await source('broken', () => ({ items: 7 }));
  const run = await ended(fetches('broken'));
  const { body } = await call('GET', `/runs/${run.id}/trace`, { key: home.key });
  const [one] = spansOf(body).filter(({ name }) => name === 'source broken');
  expect(one?.status).toEqual({ code: 2, message: 'items is a number, not a list' });
});

test('the basis of a value of an item is the record with its id in the run, also what a transform wrote', async () => {
  await source('contacts', () => ({ items: [{ id: 1, name: 'Ada', fields: { city: 'Oslo' } }] }));
  const string = { type: 'string' };
  const output_schema = {
    type: 'object',
    properties: {
      rows: {
        type: 'array',
        items: { type: 'object', properties: { id: string, name: string, city: string, motto: string } },
      },
    },
    required: ['rows'],
  };
  const transform = {
    kind: 'transform',
    instructions: 'Write a motto for each',
    params: { output_fields: ['motto'] },
  };
  const { body } = await when.createsPlanRun(home, [fetches('contacts'), transform, when.answer], {
    output_schema,
  });
  const { output, errors } = await then.ended(home, body.id);
  expect(errors).toEqual([]);
  const [{ id: entity_id, ...row }] = output.data.rows;
  expect(row).toMatchObject({ name: 'Ada', city: 'Oslo', motto: expect.any(String) });
  expect(output.basis).toEqual([
    { path: '/rows/0/id', kind: 'record', entity_id, field: 'id' },
    { path: '/rows/0/name', kind: 'record', entity_id, field: 'name' },
    { path: '/rows/0/city', kind: 'record', entity_id, field: 'city' },
    { path: '/rows/0/motto', kind: 'model', entity_id, field: 'motto', step_index: 1 },
  ]);
});

test('the rows of a live source have no record: _record is an empty text in both formats (rules.md: exports 3)', async () => {
  await source('plain', () => ({ items: [{ id: 1, name: 'Ada', fields: { city: 'Oslo' } }] }));
  const table = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };
  const { artifacts } = await ended(fetches('plain'), table);
  const as = async (format: string) =>
    (await call('GET', `/artifacts/${artifacts[0].id}?format=${format}`, { key: home.key })).body;
  expect(JSON.parse(await as('jsonl'))._record).toBe('');
  expect((await as('csv')).split('\r\n')[1]).toMatch(/,$/);
});
