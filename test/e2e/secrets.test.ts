// Secrets at rest: what went through the whole flow is nowhere in clear: not in the table, the bucket, the queue, the
// executions, the logs.
import { createHash, createHmac } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Feature } from '../../functions/contract/scopes.ts';
import { agent } from '../support/agents.ts';
import { findInFiles } from '../support/find-in-files.ts';
import * as given from '../support/given.ts';
import { admin, call, sharedService, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const hex = (text: string) => createHash('sha256').update(text).digest('hex');

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
  const client = await agent(home.key);
  await client.ask('run_get', { id: run.id });
  await client.close();
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

  const dataDir = dirname(sharedService().log_dir);
  const query = new URL(callback_url).search;
  // The search is able to find: the id of the run's workspace is in the table.
  const found = findInFiles(dataDir, {
    workspace: home.workspace_id,
    callback: query,
    'API key': home.key,
    'signing secret': hex(home.key),
    'bridge secret': bridge.secret,
    'bridge hash': hex(bridge.secret),
    'event token': event_token,
    'idempotency key': idempotencyKey,
  });
  expect(found.some(({ secret }) => secret === 'workspace')).toBe(true);
  // A callback URL is stored with its run, but no log may contain its query.
  const mayBeKept = ({ secret, file }: { secret: string; file: string }) =>
    secret === 'workspace' || (secret === 'callback' && !file.endsWith('.log'));
  expect(found.filter((one) => !mayBeKept(one))).toEqual([]);
});
