// The SDK over HTTP on the running service: its promises while connections are cut, delayed and lost.
import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isApiError, RunService, verify } from '../../clients/sdk/index.ts';
import * as given from '../support/given.ts';
import { sharedService } from '../support/service.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const clientOf = (options: Partial<ConstructorParameters<typeof RunService>[0]> = {}) =>
  new RunService({ apiKey: home.key, baseUrl: sharedService().base_url, ...options });
const threeSteps = {
  input_type: 'plan',
  plan: when.plan(when.fetchCompanies, when.keepBerlin, when.answer),
} as Parameters<RunService['runs']['create']>[0];

test('create and wait give data of the type that the schema describes', async () => {
  const service = clientOf();
  const { id, output } = await service.runs.create<{ total: number }>({
    ...threeSteps,
    output_schema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
  } as Parameters<RunService['runs']['create']>[0]);
  expect(output).toBeNull();
  const run = await service.runs.wait<{ total: number }>(id);
  const total: number | undefined = run.output?.data.total;
  expect(total).toBe(2);
});

const fronts: Server[] = [];
afterAll(() => {
  for (const server of fronts) {
    server.closeAllConnections();
    server.close();
  }
});

const HOP_BY_HOP = [
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'keep-alive',
];

type Pass = (request: Request, answer: () => Promise<Response>) => Promise<Response | undefined>;

/**
 * A proxy in front of the service that may delay a reply or lose it (undefined): a `fetch` that sends everything
 * through it.
 */
async function front(pass: Pass): Promise<typeof fetch> {
  const { site_url } = sharedService();
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const kept = headers.filter(([name]) => !HOP_BY_HOP.includes(name ?? ''));
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const request = new Request(`${site_url}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.fromEntries(kept),
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
      signal: gone.signal,
    });
    const response = await pass(request, () => fetch(request)).catch(() => undefined);
    if (!response) return void outgoing.destroy();
    const body = Buffer.from(await response.arrayBuffer().catch(() => new ArrayBuffer()));
    const sent = [...response.headers].filter(([name]) => !HOP_BY_HOP.includes(name));
    outgoing.writeHead(response.status, Object.fromEntries(sent)).end(body);
  });
  fronts.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  // The stream may have its own address.
  return (input, init) => fetch(Object.assign(new URL(String(input)), { port: String(address.port) }), init);
}

test('create, watch, artifact: a first run', async () => {
  const { runs, artifacts, entities } = clientOf();
  const run = await runs.create(threeSteps);
  expect(run).toMatchObject({ status: 'pending', replayed: false });
  const watch = runs.watch(run.id);
  const seen: unknown[] = [];
  for await (const event of watch) seen.push(event);
  expect(seen).toEqual(await when.readsLog(home, run.id));
  const final = await watch.done();
  expect(final).toEqual(await when.readsRun(home, run.id));
  const table = final.artifacts.find(({ kind }) => kind === 'table');
  expect(await artifacts.csv(table?.id ?? '')).toMatch(/^name,/i);
  const [first] = await entities.resolve({ external_uri: 'crm:acme' });
  expect(first).toMatchObject({ resolved: true, entity_name: 'Acme' });
});

test('the states of a run end as its envelope', async () => {
  const { runs } = clientOf();
  const { id } = await runs.create({ input_type: 'query', query: 'Which companies are in Berlin?' });
  let last: unknown;
  for await (const state of runs.watch(id).states()) last = state;
  expect(last).toEqual(await runs.get(id));
});

test('nothing is asked after the end', async () => {
  let requests = 0;
  const counting: typeof fetch = (...request) => {
    requests += 1;
    return fetch(...request);
  };
  const { runs } = clientOf({ fetch: counting });
  const { id } = await runs.create(threeSteps);
  await runs.wait(id);
  const asked = requests;
  await wait(1_000);
  expect(requests).toBe(asked);
});

test('behind a proxy that holds streams back, the events come by the long poll', async () => {
  const { runs } = clientOf({ fetch: await front((_, answer) => answer()) });
  const slow = when.plan(when.fetchCompanies, { kind: 'analyze', instructions: '[[delay:45000]] findings' });
  const { id } = await runs.create({ input_type: 'plan', plan: slow } as typeof threeSteps);
  const states: string[] = [];
  const seen: { id: string; at: number }[] = [];
  const began = Date.now();
  for await (const event of runs.watch(id, { onConnection: (state) => states.push(state) }))
    seen.push({ id: event.id, at: Date.now() - began });
  expect(states).toEqual(['reconnecting', 'polling', 'closed']);
  expect(seen[0]?.at).toBeLessThan(45_000);
  expect(seen.map((event) => event.id)).toEqual((await when.readsLog(home, id)).map((event) => event.id));
}, 120_000);

test('a create whose replies are lost makes one run', async () => {
  let lost = 0;
  const losing = await front(async (_, answer) => {
    const response = await answer();
    lost += 1;
    return lost <= 2 ? undefined : response;
  });
  const { runs } = clientOf({ fetch: losing });
  const metadata = { test: 'lost replies' };
  const run = await runs.create({ ...threeSteps, metadata });
  expect(run.replayed).toBe(true);
  const all: string[] = [];
  for await (const listed of clientOf().runs.list())
    if (listed.metadata?.test === metadata.test) all.push(listed.id);
  expect(all).toEqual([run.id]);
});

test('real deliveries verify by their key, in both forms of header, and by no other', async () => {
  const server = await customer(status(204));
  const { runs, deliveries } = clientOf();
  const { id } = await runs.create({ ...threeSteps, callback_url: server.url });
  await runs.wait(id);
  await expect.poll(() => server.received.length).toBe(1);
  const [received] = server.received;
  if (!received) throw new Error('nothing was delivered');
  const { 'x-service-signature': own = '', ...others } = received.headers;
  for (const header of [own, received.headers, others])
    expect(await verify(received.body, header, { apiKey: home.key })).toMatchObject({ run_id: id });
  await expect(verify(received.body, own, { apiKey: 'other' })).rejects.toMatchObject({ reason: 'mismatch' });
  await expect.poll(async () => (await deliveries.list(id))[0]?.status).toBe('delivered');
  expect(await deliveries.redeliver(id, received.headers['x-service-event-id'] ?? '')).toMatchObject({
    event_type: 'run.succeeded',
  });
});

test('errors carry their code, details and request id', async () => {
  const { runs } = clientOf();
  const steps = Array.from({ length: 51 }, () => when.fetchCompanies);
  const large = { input_type: 'plan', plan: when.plan(...steps) } as typeof threeSteps;
  const error = await runs.create(large, { requestId: 'mine' }).catch((thrown) => thrown);
  if (!isApiError(error, 'plan_too_large')) throw error;
  expect(error).toMatchObject({
    status: 422,
    requestId: 'mine',
    param: 'plan.steps',
    details: { max_steps: 50 },
  });
  expect(error.docUrl).toContain('#plan_too_large');
});
