// The MCP endpoint itself (rules.md: agents): who may call it, what it refuses and how, and long calls.
import { expect, test } from 'vitest';
import { agent } from '../support/agents.ts';
import * as given from '../support/given.ts';
import { admin, sharedService } from '../support/service.ts';
import * as when from '../support/when.ts';

const home = await given.workspace();
await given.companies(home.workspace_id);

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const toolsList = JSON.stringify(message('tools/list'));
const accept = 'application/json, text/event-stream';

interface Sent {
  method?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** One request, sent without the library. */
async function send({ method = 'POST', key, headers = {}, body = toolsList }: Sent) {
  const response = await fetch(`${sharedService().site_url}/mcp`, {
    method,
    headers: {
      accept,
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === 'POST' && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The error of JSON-RPC that a refusal is. */
const errorOf = ({ text }: { text: string }) => JSON.parse(text).error;

test.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'http://127.0.0.1:1', 'null', 'file://'])(
  'a page of another origin is refused, also with a good key: %s',
  async (origin) => {
    const refused = await send({ key: home.key, headers: { origin } });
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toMatchObject({ message: expect.stringContaining('origins') });
  },
);

test('a page of the service itself is not foreign', async () => {
  const served = await send({ key: home.key, headers: { origin: sharedService().site_url } });
  expect(served.status).toBe(200);
});

test('without a key, and with a wrong one, the answer is 401 with a challenge and the error of the API', async () => {
  const missing = await send({});
  expect(missing.status).toBe(401);
  expect(missing.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  const { data } = errorOf(missing);
  expect(data).toMatchObject({ code: 'auth_missing', request_id: missing.headers.get('x-request-id') });
  expect(data.doc_url).toBe(`${sharedService().site_url}/docs/errors#auth_missing`);
  const wrong = await send({ key: `sk_${'0'.repeat(32)}_nobody` });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer error="invalid_token"');
  expect(errorOf(wrong).data).toMatchObject({ code: 'auth_invalid' });
});

test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('there are no sessions: %s is 405', async (method) => {
  const refused = await send({ method, key: home.key });
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe('POST');
});

const call = (args: object) => JSON.stringify(message('tools/call', { name: 'run_create', arguments: args }));
const deep = `{"input_type":"query","query":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

test.each([
  ['no JSON', '{"jsonrpc":', 400],
  ['no text', new Uint8Array([0xff, 0xfe, 0x00]), 400],
  ['nothing', '', 400],
  ['JSON that nests deeply', deep, 422],
  ['more than 1 MB', call({ input_type: 'query', query: 'x'.repeat(1_100_000) }), 413],
  ['numbers beyond all measure', '{"jsonrpc":"2.0","id":1e999,"method":"tools/list"}', 422],
  ['a reserved name', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}', 422],
  ['no message of the protocol', '{"hello":"world"}', 400],
  ['a number', '7', 400],
  ['null', 'null', 400],
  ['an empty list', '[]', 400],
  ['a batch', `[${toolsList},${toolsList}]`, 400],
  ['a message with a long id', JSON.stringify({ ...message('tools/list'), id: 'i'.repeat(201) }), 400],
])('a body that is %s is refused in the words of JSON-RPC', async (_, body, status) => {
  const refused = await send({ key: home.key, body });
  expect([refused.status, refused.text]).toEqual([status, expect.stringContaining('"jsonrpc":"2.0"')]);
  expect(errorOf(refused).message).not.toBe('');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', ''])(
  'a body sent as %j is refused',
  async (type) => {
    const refused = await send({ key: home.key, headers: { 'content-type': type } });
    expect(refused.status).toBe(400);
    expect(errorOf(refused).data).toMatchObject({ code: 'invalid_json' });
  },
);

test.each([
  ['a batch', `[${toolsList}]`],
  ['an id of 201 characters', JSON.stringify({ ...message('tools/list'), id: 'i'.repeat(201) })],
])('%s is no request of the protocol: -32600', async (_, body) => {
  const refused = await send({ key: home.key, body });
  expect([refused.status, errorOf(refused).code]).toEqual([400, -32_600]);
});

test('an id of 200 characters comes back whole', async () => {
  const id = 'i'.repeat(200);
  const served = await send({ key: home.key, body: JSON.stringify({ ...message('tools/list'), id }) });
  expect([served.status, served.text.includes(`"id":"${id}"`)]).toEqual([200, true]);
});

const megabyte = 'x'.repeat(1_000_000);
const tool = (name: string, args: object) => message('tools/call', { name, arguments: args });
const query = { input_type: 'query', query: 'x' };

test.each<[string, object]>([
  ['a tool', tool(megabyte, {})],
  ['a field', tool('run_create', { ...query, [megabyte]: 1 })],
  ['many fields', tool('run_create', Object.fromEntries([...'abcdefgh'].map((k) => [k.repeat(99_000), 1])))],
  ['a pair of metadata', tool('run_create', { ...query, metadata: { [megabyte]: 1 } })],
  ['a kind of input', tool('run_create', { input_type: megabyte })],
  ['a method', message(megabyte)],
  ['a prompt', message('prompts/get', { name: megabyte })],
  ['a completion', message('completion/complete', { ref: { type: 'ref/resource', uri: megabyte } })],
  ['a resource', message('resources/read', { uri: `run://${megabyte}` })],
  ['an address', message('resources/read', { uri: megabyte })],
])('the name of %s that is 1 MB long is refused shortly, as an error of the caller', async (_, body) => {
  const refused = await send({ key: home.key, body: JSON.stringify(body) });
  expect(refused.status).toBeLessThan(500);
  expect(refused.text).toMatch(/"error":|"isError":true/);
  expect(refused.text).not.toContain('-32603');
  expect(refused.text.length).toBeLessThanOrEqual(16 * 1024);
  expect(refused.text).not.toMatch(/x{201}|a{201}/);
});

test('invalid arguments are a result that explains the error', async () => {
  const client = await agent(home.key);
  const refused = await client.ask('run_create', { input_type: 'query', surprise: true });
  expect(refused).toMatchObject({ isError: true });
  expect(refused.structuredContent).toMatchObject({ code: 'missing_required_field', param: 'query' });
  const unknown = await client.ask('run_get', { id: '../../me' });
  expect(unknown.structuredContent).toMatchObject({ code: 'run_not_found' });
  await client.close();
});

test('a key sees and may call only the tools that its scopes allow', async () => {
  const { key } = await given.key(home.workspace_id, ['runs:read']);
  const reader = await agent(key);
  expect(await reader.tools()).toEqual([
    ...['data_describe', 'entity_get', 'entity_search', 'job_list', 'monitor_fires', 'monitor_list'],
    ...['run_get', 'run_list', 'run_wait'],
  ]);
  await expect(reader.ask('run_create', { input_type: 'query', query: 'x' })).rejects.toThrow(/run_create/);
  await reader.close();
});

const slowly = (ms: number) =>
  when.plan(when.fetchCompanies, { kind: 'analyze', instructions: `[[delay:${ms}]] x` });

test('progress arrives while the run is in progress, not at its end', async () => {
  const held = await given.workspace();
  const { workspace_id } = held;
  await admin({ command: 'maintenance.start', workspace_id });
  const client = await agent(held.key);
  const plan = when.plan({ kind: 'inject_context', params: { text: 'x' } });
  const { id } = (await client.ask('run_create', { input_type: 'plan', plan })).structuredContent;
  let over: Promise<unknown> | undefined;
  // The run continues because its pause was reported.
  const onprogress = () => {
    over ??= admin({ command: 'maintenance.end', workspace_id });
  };
  const waited = await client.ask('run_wait', { id }, { onprogress });
  expect(waited.structuredContent.status).toBe('succeeded');
  await over;
  await client.close();
});

test('a client that gives a call up early finishes a longer run by waiting again', async () => {
  const client = await agent(home.key);
  const { id } = (await client.ask('run_create', { input_type: 'plan', plan: slowly(3000) }))
    .structuredContent;
  const answers: string[] = [];
  while (!answers.includes('succeeded')) {
    const { structuredContent } = await client.ask('run_wait', { id, timeout_s: 1 }, { timeout: 3000 });
    answers.push(structuredContent.status);
    expect(answers.length).toBeLessThan(20);
  }
  expect(answers.length).toBeGreaterThan(2);
  await client.close();
});

test('a call that the client cancels leaves the run alone', async () => {
  const client = await agent(home.key);
  const { id } = (await client.ask('run_create', { input_type: 'plan', plan: slowly(500) }))
    .structuredContent;
  await expect(client.ask('run_wait', { id }, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  expect((await client.ask('run_wait', { id })).structuredContent.status).toBe('succeeded');
  await client.close();
});

test('listening for changes is refused: there are none, and it would block the function', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const listening = await send({
    key: home.key,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    body: JSON.stringify(
      message('subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } }),
    ),
  });
  expect(listening.text).toContain('limit reached');
});
