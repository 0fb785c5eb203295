// rules.md: traces. A run as a trace in OTLP/JSON, and the trace contexts that go in and out.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { attributesOf, readByCollector, spansOf } from '../support/otlp.ts';
import { ownService } from '../support/own-service.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${PARENT}-01`;
const analyze = (instructions: string) => ({ kind: 'analyze', instructions });

async function traceOf(home: given.Caller, id: string) {
  const { status: code, body } = await call('GET', `/runs/${id}/trace`, {
    key: home.key,
    access: home.access,
  });
  expect(code).toBe(200);
  expect(readByCollector(body)).toEqual(body);
  const spans = spansOf(body).map((span) => ({ ...span, is: attributesOf(span) }));
  const named = (name: string) => spans.filter((span) => span.name.startsWith(name));
  const [root] = named('run');
  if (!root) throw new Error('the trace has no run');
  return { body, spans, named, root };
}

async function ran(home: given.Caller, steps: Record<string, unknown>[], extra = {}, headers = {}) {
  const { body } = await when.createsPlanRun(home, steps, extra, headers);
  await then.ended(home, body.id);
  return String(body.id);
}

test('the run, its steps, the calls of its model and its webhook are spans with stable ids', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const server = await customer(status(500), status(200));
  const steps = [when.fetchCompanies, analyze('What stands out?')];
  const id = await ran(home, steps, { callback_url: server.url });
  await until('the attempt', async () => server.received[0]);
  const { body, named, root } = await until('the span of the attempt', async () => {
    const trace = await traceOf(home, id);
    return trace.named('webhook').length > 0 ? trace : undefined;
  });
  expect(root).toMatchObject({ traceId: id.replaceAll('-', ''), kind: 1, status: {} });
  expect(root.parentSpanId).toBeUndefined();
  expect(root.is).toMatchObject({ 'run.id': id, 'run.status': 'succeeded' });
  const [fetched, analyzed] = named('step');
  expect(fetched?.is).toEqual({ 'run.step.index': 0, 'run.step.kind': 'fetch', 'run.step.attempt': 1 });
  expect(analyzed?.is).toEqual({ 'run.step.index': 1, 'run.step.kind': 'analyze', 'run.step.attempt': 1 });
  const [asked] = named('chat');
  expect(asked?.parentSpanId).toBe(analyzed?.spanId);
  expect(asked?.is).toMatchObject({ 'gen_ai.request.model': 'offline' });
  const { usage } = await when.readsRun(home, id);
  expect(asked?.is['gen_ai.usage.input_tokens']).toBe(usage.input_tokens);
  const [attempt] = named('webhook');
  expect(attempt).toMatchObject({ parentSpanId: root.spanId, status: { code: 2, message: 'HTTP 500' } });
  expect(attempt?.is['webhook.attempt']).toBe(1);
  for (const span of spansOf(body)) {
    expect(span.endTimeUnixNano).toBeDefined();
    expect(BigInt(span.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  }
  expect((await traceOf(home, id)).body).toEqual(body);
});

test('a trace context goes on from the request to the webhook, and a replay keeps the first', async () => {
  const home = await given.workspace();
  const server = await customer(status(200));
  const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
  const extra = { callback_url: server.url };
  const key = { 'Idempotency-Key': 'once' };
  const id = await ran(home, steps, extra, { ...key, traceparent });
  const other = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  const replay = await when.createsPlanRun(home, steps, extra, { ...key, traceparent: other });
  expect([replay.status, replay.body.id]).toEqual([200, id]);
  const { headers } = await until('the webhook', async () => server.received[0]);
  const { root, named } = await until('its span', async () => {
    const trace = await traceOf(home, id);
    return trace.named('webhook').length > 0 ? trace : undefined;
  });
  expect(root).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(headers.traceparent).toBe(`00-${TRACE}-${named('webhook')[0]?.spanId}-01`);
});

test.each(['', 'x', `00-${'0'.repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`, `${traceparent}-more`])(
  'a malformed trace context is ignored, and the webhook carries that of the run: %j',
  async (malformed) => {
    const home = await given.workspace();
    const server = await customer(status(200));
    const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
    const id = await ran(home, steps, { callback_url: server.url }, { traceparent: malformed });
    const { headers } = await until('the webhook', async () => server.received[0]);
    expect(headers.traceparent).toMatch(new RegExp(`^00-${id.replaceAll('-', '')}-[0-9a-f]{16}-01$`));
  },
);

test('every attempt of a step and every call of it is there, the failed ones with an error', async () => {
  const home = await given.workspace();
  const id = await ran(home, [analyze('What stands out? [[fail-once]]')]);
  await when.resumes(home, id);
  await then.ended(home, id);
  const { named, root } = await traceOf(home, id);
  const [failed, done] = named('step');
  expect([failed?.is['run.step.attempt'], failed?.status.code]).toEqual([1, 2]);
  expect([done?.is['run.step.attempt'], done?.status]).toEqual([2, {}]);
  expect(named('chat').map(({ parentSpanId, status: { code } }) => [parentSpanId, code])).toEqual([
    [failed?.spanId, 2],
    [done?.spanId, undefined],
  ]);
  expect(root.is['run.status']).toBe('succeeded');
});

test('a step with many calls has a span for each', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const transform = {
    kind: 'transform',
    instructions: 'The city',
    params: { output_fields: ['place'] },
  };
  const id = await ran(home, [when.fetchCompanies, transform]);
  const { named } = await traceOf(home, id);
  const [, step] = named('step');
  expect(named('chat').map(({ parentSpanId }) => parentSpanId)).toEqual(Array(3).fill(step?.spanId));
  expect(new Set(named('chat').map(({ spanId }) => spanId)).size).toBe(3);
});

test('what understood and planned a query belongs to its run', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { body } = await when.createsQueryRun(home, 'Which companies are in Berlin?');
  await then.ended(home, body.id);
  const { named, root } = await traceOf(home, body.id);
  const own = named('chat').filter(({ parentSpanId }) => parentSpanId === root.spanId);
  expect(own).toHaveLength(2);
  for (const { startTimeUnixNano } of own)
    expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
});

test('what goes on has no end, and a run of another workspace no trace', async () => {
  const home = await given.workspace();
  const { body } = await when.createsPlanRun(home, [analyze('[[delay:3000]]')]);
  await then.event(home, body.id, 'step.started');
  const { root, named } = await traceOf(home, body.id);
  expect([root.endTimeUnixNano, named('step')[0]?.endTimeUnixNano]).toEqual([undefined, undefined]);
  const foreign = await given.workspace();
  expect((await call('GET', `/runs/${body.id}/trace`, { key: foreign.key })).body.error.code).toBe(
    'run_not_found',
  );
  const poor = await given.key(home.workspace_id, ['artifacts:read']);
  expect((await call('GET', `/runs/${body.id}/trace`, { key: poor.key })).status).toBe(403);
  await call('POST', `/runs/${body.id}/cancel`, { key: home.key });
});

test('a collector gets the same at the end of the log, once its address is set', async () => {
  const collector = await customer(status(200));
  const address = new URL(collector.url);
  const service = await ownService({}, { otlp_endpoint: `${address.origin}/` });
  try {
    const home = await service.home();
    const id = await ran(home, [{ kind: 'inject_context', params: { text: 'x' } }], {}, { traceparent });
    const { headers, body } = await until('the trace', async () => collector.received[0]);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body.toString())).toEqual((await traceOf(home, id)).body);
  } finally {
    await service.stop();
  }
});
