// Secrets at rest: what went through the whole flow is nowhere in clear: not in the table, the bucket, the queue, the executions, the logs.
import { createHash, createHmac } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Feature } from '../../functions/contract/scopes.ts';
import { filesHolding as filesOf } from '../support/files-holding.ts';
import * as given from '../support/given.ts';
import { admin, call, sharedService, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const hex = (text: string) => createHash('sha256').update(text).digest('hex');

const filesHolding = (secret: string) => filesOf(dirname(sharedService().log_dir), secret);

test('keys, signing secrets, bridge secrets, tokens and idempotency keys are found nowhere in clear', async () => {
  const features: Feature[] = ['WEBHOOK_INTEGRATION'];
  const home = await given.workspace({ features });
  await given.companies(home.workspace_id);
  const receiver = await customer(status(200));
  const idempotencyKey = `canary-${crypto.randomUUID()}`;
  const callback_url = `${receiver.url}?token=canary-${crypto.randomUUID()}`;
  const { body: run } = await when.createsPlanRun(
    home,
    [when.fetchCompanies, when.answer],
    { callback_url },
    { 'Idempotency-Key': idempotencyKey },
  );
  await then.ended(home, run.id);
  await until('the webhook', async () => receiver.received[0]);
  const { event_token } = (await call('POST', `/runs/${run.id}/events/token`, { key: home.key })).body;
  await call('GET', `/runs/${run.id}/events/stream?event_token=${event_token}`);
  const workspaces: {
    workspace_id: string;
    resources: {
      type: string;
      kind: 'entity';
      entity_type: string;
      name_field: string;
      field_map: Record<string, string>;
    }[];
  }[] = [
    {
      workspace_id: home.workspace_id,
      resources: [
        {
          type: 'company',
          kind: 'entity',
          entity_type: 'company',
          name_field: 'name',
          field_map: { name: 'name' },
        },
      ],
    },
  ];
  const bridge = await admin({ command: 'bridge.create', bridge: { name: 'crm', workspaces } });
  const message = JSON.stringify({
    resource: { type: 'company', id: '1' },
    operation: 'create',
    data: { type: 'company', id: '1', attributes: { name: 'Canary' } },
  });
  const signature = createHmac('sha256', hex(bridge.secret)).update(message).digest('hex');
  const headers = {
    'X-Webhook-Signature': `sha256=${signature}`,
    'X-Webhook-Timestamp': new Date().toISOString(),
  };
  expect(
    (await call('POST', `//api/webhooks/sync/${bridge.bridge_id}`, { body: message, headers })).status,
  ).toBe(200);

  // The search is able to find: the name of the run's workspace is in the table.
  expect(filesHolding(home.workspace_id)).not.toEqual([]);
  const secrets = {
    'API key': home.key,
    'signing secret': hex(home.key),
    'bridge secret': bridge.secret,
    'bridge hash': hex(bridge.secret),
    'event token': event_token,
    'idempotency key': idempotencyKey,
  };
  for (const [name, secret] of Object.entries(secrets))
    expect({ [name]: filesHolding(secret) }).toEqual({ [name]: [] });
  // A callback URL belongs to the run and is kept with it, but no log may repeat its query.
  const logs = filesHolding(new URL(callback_url).search).filter((file) => file.endsWith('.log'));
  expect(logs).toEqual([]);
});
