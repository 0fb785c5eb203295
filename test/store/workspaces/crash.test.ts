// rules.md: keys 10, webhooks 8. A rotation and a redelivery of many die at any of their calls: nothing is half done.
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { redeliverFailed } from '#domain/webhooks/redeliver-failed.ts';
import { createKey } from '#domain/workspaces/keys.ts';
import { rotateKey } from '#domain/workspaces/manage-keys.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import type { ApiKey } from '#store/workspaces/api-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as audit from '#store/workspaces/audit.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { enqueued, giveServiceSecret, onEnqueue, openSecrets, replaceQueue } from '../../support/fakes.ts';
import { deathAt, exposed, inProcess } from '../../support/faults.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { actor } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { newDelivery } from '../webhooks/deliveries.ts';

const MINUTE = 60_000;

beforeEach(() => {
  useMemoryTable();
  giveServiceSecret();
  replaceQueue();
  openSecrets('secret');
  mockClient(KMSClient)
    .on(EncryptCommand)
    .callsFake(() =>
      exposed({ service: 'keys', command: 'EncryptCommand', input: {} }, async () => ({
        CiphertextBlob: Buffer.from('sealed'),
      })),
    );
});

/** Calls `work` for every call at which it can die, before and after that takes effect. */
async function atEachCall(
  work: (n: number, afterEffect: boolean) => Promise<{ died: boolean }>,
): Promise<void> {
  for (const afterEffect of [false, true])
    for (let n = 1; (await work(n, afterEffect)).died; n += 1) expect(n).toBeLessThan(100);
}

const entries = async (workspaceId: string) =>
  (await audit.page(workspaceId, 100, undefined)).map(({ entry }) => entry);

async function keyed(): Promise<{ key: ApiKey; workspace: workspaces.Workspace }> {
  const { workspace_id } = await createWorkspace({ name: 'W' });
  const { key_id } = await createKey({ workspace_id, scopes: 'all' }, actor);
  const [key, workspace] = await Promise.all([apiKeys.getById(key_id), workspaces.get(workspace_id)]);
  if (!key || !workspace) throw new Error('no key');
  return { key, workspace };
}

test('a rotation that dies leaves the old key alone, or a successor with its entry in the audit', async () => {
  const left = new Set<number>();
  await atEachCall(async (n, afterEffect) => {
    const caller = await keyed();
    const { key_id, workspace_id } = caller.key;
    const rotate = () => rotateKey(caller, key_id, { grace_seconds: 60 }, actor);
    const done = await inProcess({ id: n, faultPlan: deathAt(n, afterEffect) }, rotate);
    const keys = await apiKeys.list(workspace_id);
    const rotations = (await entries(workspace_id)).filter(({ action }) => action === 'key.rotate');
    const old = keys.find((key) => key.key_id === key_id);
    const next = keys.find(({ successor_of }) => successor_of === key_id);
    expect([keys.length, rotations.length]).toEqual(next ? [2, 1] : [1, 0]);
    expect(old?.successor).toBe(next?.key_id);
    if (old?.expires_at !== undefined) expect(next).toBeDefined();
    left.add(keys.length);
    // Asking again makes it whole, or says that it is.
    const again = await rotate().catch(({ code }) => code);
    expect(next ? again : again.successor_of).toBe(next ? 'key_not_active' : key_id);
    expect(await apiKeys.list(workspace_id)).toHaveLength(2);
    return done;
  });
  expect(left).toEqual(new Set([1, 2]));
});

test('a redelivery of many that dies has its entry, and the sweep sends what it has not', async () => {
  const reopened = new Set<number>();
  await atEachCall(async (n, afterEffect) => {
    useMemoryTable();
    replaceQueue();
    onEnqueue((sent) =>
      exposed({ service: 'queue', command: 'SendMessageCommand', input: sent }, async () => {}),
    );
    const first = await newDelivery();
    const failed = [first, await newDelivery(undefined, first), await newDelivery(undefined, first)];
    for (const place of failed) {
      const claimed = await deliveries.claimAttempt(place, 1, Date.now(), 1);
      if (claimed) await deliveries.recordAttempt(claimed, { at: 1, duration_ms: 1 }, { status: 'failed' });
    }
    const redeliver = () => redeliverFailed(first.workspace_id, {}, actor);
    const done = await inProcess({ id: n, faultPlan: deathAt(n, afterEffect) }, redeliver);
    const pending = (await deliveries.getMany(failed)).filter(({ status }) => status === 'pending');
    expect(await entries(first.workspace_id)).toHaveLength(pending.length > 0 ? 1 : 0);
    reopened.add(pending.length);
    await resendOverdueDeliveries(sweepTime(Date.now() + deliveries.QUEUE_GRACE_MS + MINUTE));
    const sent = enqueued().map(({ message }) => Object(message).event_id);
    for (const { event_id } of pending) expect(sent).toContain(event_id);
    return done;
  });
  expect(reopened).toEqual(new Set([0, 3]));
});
