// `admin listen`: what it forwards is signed as a delivery is, and needs no callback URL.
import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

test('an ended run gives a webhook that a verifier of deliveries accepts', async () => {
  const home = await given.workspace();
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
  const ended = await then.ended(home, run.id);
  const { webhooks } = await admin({ command: 'webhook.sign', run_id: run.id, ended_after: 0 });
  expect(webhooks).toHaveLength(1);
  const secret = createHash('sha256').update(home.key).digest('hex');
  const { body, headers } = webhooks[0];
  const event: unknown = new Stripe('sk_test_x').webhooks.constructEvent(
    body,
    headers['X-Service-Signature'],
    secret,
  );
  expect(event).toMatchObject({
    event_type: 'run.succeeded',
    run_id: run.id,
    data: { completed_at: ended.completed_at },
  });
});

test('a workspace gives the ends after a time, and nothing for runs that were canceled', async () => {
  const home = await given.workspace();
  const first = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
  const { completed_at } = await then.ended(home, first.body.id);
  const slow = await when.createsPlanRun(home, [{ kind: 'analyze', instructions: 'Sum up [[delay:2500]]' }]);
  await then.event(home, slow.body.id, 'step.started');
  await call('POST', `/runs/${slow.body.id}/cancel`, { key: home.key });
  await then.ended(home, slow.body.id);
  const asked = { command: 'webhook.sign' as const, workspace_id: home.workspace_id };
  const all = await admin({ ...asked, ended_after: 0 });
  expect(all.webhooks.map((webhook: { run_id: string }) => webhook.run_id)).toEqual([first.body.id]);
  expect(await admin({ ...asked, ended_after: completed_at })).toEqual({ webhooks: [] });
});
