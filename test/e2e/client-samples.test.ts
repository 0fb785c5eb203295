// The clients' lines in the reference: each makes the call beside which it stands, and reads its documented reply.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientSamples } from '../../functions/docs/client-samples.ts';
import { apiDocument, type Operation } from '../../functions/docs/document.ts';
import { hasPython, python } from '../support/python.ts';
import { runModule } from '../support/snippets.ts';

/** Calls that no client offers: the watch asks for its tokens itself. */
const WITHOUT = ['CreateEventToken'];

interface Documented {
  operation: Operation;
  method: string;
  address: RegExp;
}

const documented: readonly Documented[] = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    operation,
    method: method.toUpperCase(),
    address: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
);
const callOf = (method = '', path = '') =>
  documented
    .filter((one) => one.method === method && one.address.test(path))
    // `/entities/types` is no record.
    .toSorted((a, b) => a.address.source.length - b.address.source.length)
    .find(({ operation }) => operation.operationId !== 'GetEntity' || !/(types|resolve)$/.test(path))
    ?.operation;

/** Of a call without a recorded reply. */
const EMPTY = { object: 'list', data: [] };
const TOKEN = { event_token: 'token', expires_at: Number.MAX_SAFE_INTEGER };

/** The operations that were asked for, in order. */
const asked: string[] = [];

/** Answers as documented; a stream has ended. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
  const operation = callOf(request.method, pathname);
  asked.push(operation?.operationId ?? `${request.method} ${pathname}`);
  const [status = '500', { content = {} } = {}] =
    Object.entries(operation?.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
  const json = content['application/json'];
  if (!json) return void response.writeHead(204).end();
  // The address of the stream is the default one, below the other calls. Each list is one page.
  const example = { ...Object(json.example ?? EMPTY), has_more: false };
  const body = operation?.operationId === 'CreateEventToken' ? TOKEN : example;
  response.writeHead(Number(status), { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
let baseUrl = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  baseUrl = `http://127.0.0.1:${address.port}/api/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ID = '8ee89711-330c-4ccf-89a2-e65ad12bbd7d';
const samples = Object.entries(clientSamples);

test('every call with a key is shown', () => {
  const withKey = documented.filter(({ operation }) => operation.security.some((one) => 'ApiKey' in one));
  const due = withKey.map(({ operation }) => operation.operationId).filter((id) => !WITHOUT.includes(id));
  const shown = samples.map(([id]) => id);
  expect(shown.toSorted()).toEqual(due.toSorted());
});

/** The operations that each sample asked for: a program says with a request to `/mark/ID` whose turn it is. */
async function callsBySample(run: () => Promise<unknown>): Promise<string[][]> {
  asked.length = 0;
  await run();
  const [, ...parts] = asked.join(' ').split(/GET \S+\/mark\//);
  return parts.map((part) => part.trim().split(' '));
}

/** Every sample made its own call. */
function expectEach(made: string[][], due: string[]): void {
  expect(made.map(([sample]) => sample)).toEqual(due);
  for (const [sample, ...calls] of made) expect(calls, sample).toContain(sample);
}

test('each line of TypeScript makes its call', async () => {
  const shown = samples.flatMap(([id, { typescript }]) => (typescript ? [{ id, typescript }] : []));
  const blocks = shown.map(
    ({ id, typescript }) => `await fetch('${baseUrl}/mark/${id}');\n{ ${typescript} }`,
  );
  const program = `import { RunService } from 'run-service-client';
    const service = new RunService({ apiKey: 'sk', baseUrl: '${baseUrl}', maxRetries: 0 });
    const [id, eventId] = ['${ID}', 'evt'];
    ${blocks.join('\n')}`;
  const made = await callsBySample(() => runModule(program));
  expectEach(
    made,
    samples.map(([id]) => id),
  );
});

test.runIf(hasPython)('each line of Python makes its call', async () => {
  const program = `
import json, sys, urllib.request
from run_service import Client
id, event_id = "${ID}", "evt"
client = Client("sk", "${baseUrl}", max_retries=0)
for sample, code in json.loads(sys.argv[1]):
    urllib.request.urlopen(f"${baseUrl}/mark/{sample}").close()
    exec(code)
`;
  const shown = samples.flatMap(([id, { python: code }]) => (code ? [[id, code] as const] : []));
  const made = await callsBySample(() => python(['-c', program, JSON.stringify(shown)]));
  expectEach(
    made,
    shown.map(([id]) => id),
  );
});
