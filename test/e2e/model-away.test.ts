// rules.md: models 19, models 20, query 8, offline 7. A model that goes away and comes back, for the whole service.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let own: OwnService;
let home: Home;
beforeAll(async () => {
  own = await ownService();
  home = await own.home();
});
afterAll(() => own.stop());

const asks = (query: string) => when.createsQueryRun(home, query);

/** How many calls have failed so far. */
function failedCalls(): number {
  const folder = join(own.dataDir, 'logs');
  const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return logs.join('').split('"model call failed"').length - 1;
}

/** The reply to a query that is no refusal because the model is away. */
const answered = (query: string) =>
  until(
    'the model is back',
    async () => {
      const reply = await asks(query);
      return reply.status === 503 ? undefined : reply;
    },
    60_000,
  );

test('a query whose model fails three times is refused with the time at which it may be back', async () => {
  const reply = await asks('List the companies [[transient:3]]');
  expectRefusal(reply, 503, 'model_unavailable');
  expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(2);
  expect(reply.body.error.details).toEqual({
    cause: 'away',
    provider: { message: 'The offline model is throttled, as the trigger asks' },
  });
  expect((await answered('List the companies')).status).toBe(202);
});

test('while it is away every query is refused without a call', async () => {
  await asks('List the companies [[transient:3]]');
  const before = failedCalls();
  const other = await own.home();
  const replies = await Promise.all(
    [1, 2, 3].map(() => when.createsQueryRun(other, 'List them [[transient:9]]')),
  );
  for (const reply of replies) {
    expectRefusal(reply, 503, 'model_unavailable');
    expect(reply.body.error.details).toEqual({ cause: 'away' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect(failedCalls()).toBe(before);
  await answered('List the companies');
});

test('the query that made it go away tries it, and goes on failing for as many calls as it asks for', async () => {
  const before = failedCalls();
  const reply = await answered('List the companies [[transient:5]]');
  expect(reply.status).toBe(202);
  await expect.poll(failedCalls).toBe(before + 5);
});

test('three failures in a row of a step make it go away; the calls count on when the run is resumed', async () => {
  const steps = [{ kind: 'analyze', instructions: 'Look [[transient:3]]' }];
  const { body } = await when.createsPlanRun(home, steps, { config: { model_wait_seconds: 0 } });
  const run = await then.ended(home, body.id);
  expect(run).toMatchObject({
    status: 'failed',
    errors: [{ code: 'model_unavailable', details: { step_index: 0, cause: 'away' } }],
  });
  const log = await when.readsLog(home, body.id);
  expect(log.filter(({ event_type }) => event_type === 'step.retrying')).toMatchObject([
    { data: { attempt: 1 } },
    { data: { attempt: 2 } },
  ]);
  await answered('List the companies');
  await call('POST', `/runs/${run.id}/resume`, home);
  expect((await then.ended(home, run.id)).status).toBe('succeeded');
});
