// The main job under trouble of the cloud: throttles, conflicts, errors, lost replies and repeats at random.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AwsRequest } from '../../lib/local/aws-endpoint/aws-request.ts';
import type { Home } from '../support/given.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const ANY = ['throttle', 'error', 'lost', 'cut'] as const;
const TRANSACTION = [...ANY, 'conflict', 'conflict', 'duplicate', 'duplicate'] as const;
const SINGLE_WRITE = [...ANY, 'conflict'] as const;
const BATCH = [...ANY, 'partial', 'partial'] as const;
/** How many of the transactions, and of all other calls, are disturbed. */
const CHANCE = { transaction: 0.35, other: 0.1 };
const SEED = 20_261_121;
/**
 * The longest that the service leaves a run alone after trouble: the sweep starts it, or a task is tried again, within
 * two minutes.
 */
const HEALED_WITHIN_MS = 150_000;
/** So many that every kind of trouble comes often enough, whatever the order of the calls. */
const RUNS = 90;

let service: OwnService;
beforeAll(async () => {
  service = await ownService({ MAX_PARALLEL_CALLS: '4' });
});
afterAll(() => service?.stop());

/** Repeatable random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Only a transaction carries a token by which its repeat is known, so only it may come twice. */
function kindsFor({ service: to, operation }: AwsRequest) {
  if (to !== 'dynamodb') return ANY;
  if (operation === 'TransactWriteItems') return TRANSACTION;
  if (operation === 'BatchGetItem') return BATCH;
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation) ? SINGLE_WRITE : ANY;
}

/** Disturbs the calls to the table and to the state machine; returns what happened how often, and the end of it. */
function disturb(): { fired: Map<string, number>; stop: () => void } {
  const random = randomFrom(SEED);
  const fired = new Map<string, number>();
  const stop = service.runtime.faults.add((one) => {
    if (one.service !== 'dynamodb' && one.service !== 'states') return undefined;
    const kinds = kindsFor(one);
    if (random() > (kinds === TRANSACTION ? CHANCE.transaction : CHANCE.other)) return undefined;
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'throttle';
    fired.set(kind, (fired.get(kind) ?? 0) + 1);
    return { kind };
  });
  return { fired, stop };
}

const fetchAll = { kind: 'fetch', params: { source: 'companies' } };
const plans = [
  [fetchAll, when.keepBerlin, { kind: 'reconstitute', params: { expected_artifacts: ['table'] } }],
  [fetchAll, { kind: 'transform', instructions: 'sum up' }, { kind: 'analyze', instructions: 'compare' }],
  [{ kind: 'analyze', instructions: '[[fail]]' }],
];

/** Creates a run, trying again with the same key as a client should. */
async function creates(home: Home, i: number): Promise<string> {
  for (;;) {
    const steps = plans[i % plans.length] ?? [];
    const reply = await when.createsPlanRun(home, steps, {}, { 'Idempotency-Key': `run ${i}` });
    if (reply.status < 300) return reply.body.id;
    expect([500, 503]).toContain(reply.status);
  }
}

test('every acknowledged run ends once, its log is sound, its money and slots add up', async () => {
  const home = await service.home({ credits: 100_000 });
  const show = () => service.admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  const before = await show();
  const { fired, stop } = disturb();
  const ids = await Promise.all(Array.from({ length: RUNS }, (_, i) => creates(home, i)));
  expect(new Set(ids).size).toBe(RUNS);
  // Reads are disturbed too: what cannot be read now is read when the trouble is over.
  await Promise.all(ids.map((id) => then.ended(home, id, 40_000).catch(() => undefined)));
  stop();
  for (const kind of new Set(TRANSACTION)) expect(fired.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(20);
  let used = 0;
  for (const [i, id] of ids.entries()) {
    const run = await then.ended(home, id, HEALED_WITHIN_MS);
    await then.soundLog(home, id);
    const types = await then.eventTypes(home, id);
    expect(types.filter((type) => /^run\.(succeeded|failed|canceled)$/.test(type))).toHaveLength(1);
    const started = (await when.readsLog(home, id)).filter(({ event_type }) => event_type === 'step.started');
    expect(started.length).toBe(new Set(started.map(({ data }) => JSON.stringify(data))).size);
    expect(run.status).toBe(i % 3 === 2 ? 'failed' : 'succeeded');
    used += run.usage.credits_used;
  }
  await service.runtime.lambda.invoke('Sweep', '{}');
  expect(await show()).toMatchObject({
    credits_left: before.credits_left - used,
    credits_held: 0,
    runs_in_flight: 0,
  });
}, 300_000);
