// rules.md: local 10. The table is unavailable while runs are in flight: nothing is lost, and no caller sees an
// internal error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call, until } from '../support/service.ts';
import { bridgeCommand, push, type SyncBridge, send } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const RUNS = 4;
const WITHIN_MS = 60_000;

let service: OwnService;
beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service.stop());

test('runs in flight end once, and requests during it are asked to retry', async () => {
  const home = await service.home();
  const step = { kind: 'analyze', instructions: '[[delay:1500]] sum up' };
  const runs = await Promise.all(Array.from({ length: RUNS }, () => when.createsPlanRun(home, [step, step])));
  const ids = runs.map(({ body }) => String(body.id));
  const [first = ''] = ids;
  await then.event(home, first, 'step.started');

  const statuses: number[] = [];
  let watching = true;
  const bystander = async () => {
    while (watching) statuses.push((await call('GET', `/runs/${first}`, { ...home })).status);
  };
  const bystanders = [bystander(), bystander()];
  const back = service.faults.add(({ service: to }) => (to === 'dynamodb' ? { kind: 'cut' } : undefined));
  // Away for longer than the clients of the functions try again.
  await until('a request that was told to come again', async () => statuses.includes(503) || undefined);
  back();
  await until('an answer', async () => statuses.at(-1) === 200 || undefined);
  watching = false;
  await Promise.all(bystanders);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));

  for (const id of ids) {
    expect(await then.ended(home, id, WITHIN_MS)).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
    await then.soundLog(home, id);
  }
}, 120_000);

test('a sync message during it is asked to come again, in the short shape of its route (rules.md: sync 14)', async () => {
  const { workspace_id, access } = await service.home({ companies: 0 });
  await service.admin({ command: 'workspace.update', workspace_id, features: ['WEBHOOK_INTEGRATION'] });
  const bridge: SyncBridge = { ...(await service.admin(bridgeCommand(workspace_id))), access };
  const message = push('company', '1', { name: 'Late Works' });
  for (const kind of ['cut', 'throttle'] as const) {
    const back = service.faults.add(({ service: to }) => (to === 'dynamodb' ? { kind } : undefined));
    const refused = await send(bridge, message);
    back();
    const error = 'service_unavailable';
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.body).toEqual({ success: false, error, message: expect.any(String) });
  }
  expect((await send(bridge, message)).body).toEqual({ success: true, processed_workspaces: 1 });
});
