// A body of 1 MB takes many turns, so that the requests of others, which share the thread, do not wait for it.
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { turnsDuring } from '../support/turns.ts';

vi.mock('#platform/turns.ts', () => import('../../lib/local/shared-thread/turns.ts'));
vi.mock('#platform/json.ts', () => import('../../lib/local/shared-thread/json.ts'));
Object.assign(process.env, { SITE_URL: 'http://127.0.0.1' });
const { checkCreateInTurns } = await import('#domain/commands/check-create.ts');
const { readMessage } = await import('#domain/sync/read-message.ts');
const { check } = await import('#edge/check.ts');
const { readJson } = await import('#edge/read-json.ts');
const { fingerprintInTurns } = await import('#platform/crypto.ts');

const small = Array.from({ length: 130_000 }, () => ({ a: 1 }));

/** As many steps with as many lists of values as a body may have. */
function largePlan(): object {
  const lists = (length: number) => ({
    or: Array(length).fill({ field: 'f', op: 'in', value: Array(100).fill(1) }),
  });
  const where = { or: [lists(20), lists(20), lists(10)] };
  const steps = Array.from({ length: 50 }, () => ({ kind: 'fetch', title: 'x', params: { where } }));
  return JSON.parse(JSON.stringify({ input_type: 'plan', plan: { title: 'x', steps } }));
}

/** How long the work between two looks at the clock takes here, on any machine: a turn is ten of them. */
const STEP_MS = 1;

beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += STEP_MS;
    return now;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

let plan: object;
beforeAll(() => {
  plan = largePlan();
});

test('is read in turns', async () => {
  const body = Buffer.from(JSON.stringify({ input_type: 'query', query: 'x', metadata: { small } }));
  const headers = { 'content-type': 'application/json' };
  const request = { headers, method: 'POST', resource: '/', path: '/', query: {}, params: {} };
  const read = () => readJson({ ...request, body, body_bytes: body.length });
  expect(await turnsDuring(read)).toBeGreaterThan(3);
});

test('is read in turns when it is a sync message', async () => {
  const resource = { type: 'company', id: '1' };
  const message = { resource, operation: 'create', data: { ...resource, attributes: { small } } };
  const body = Buffer.from(JSON.stringify(message));
  expect(await turnsDuring(() => readMessage(body))).toBeGreaterThan(3);
});

test('is checked and compared in turns when it is a plan', async () => {
  expect(await turnsDuring(() => checkCreateInTurns(plan, check))).toBeGreaterThan(3);
  expect(await turnsDuring(() => fingerprintInTurns(plan))).toBeGreaterThan(2);
});
