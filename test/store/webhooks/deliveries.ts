// Runs with a delivery that is due, and receivers whose outcomes are given.

import { API_VERSION } from '#contract/limits.ts';
import type { DeliveryKey } from '#contract/run-keys.ts';
import type { OutboundRequest, Outcome, Send } from '#outbound/request.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { eventId } from '#store/runs/events.ts';
import * as runs from '#store/runs/runs.ts';
import { transact } from '#store/table/table.ts';
import { due, duePartition } from '#store/table/table-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { openSecrets, replaceQueue } from '../../support/fakes.ts';
import { runRecord } from '../../support/runs.ts';

export const secretHex = sha256Hex('sk_test_vector_0001');
export const body = '{"event_id":"e","n": 1.0,"text":"ÄÖ"}';

/** Replaces the queue and the key service; call before each test. */
export function replaceNeighbours(): void {
  replaceQueue();
  openSecrets(secretHex);
}

export const status = (code: number): Outcome => ({ kind: 'response', status: code, duration_ms: 5 });
export const refused: Outcome = { kind: 'failed', error: 'ECONNREFUSED', duration_ms: 1 };
export const blocked: Outcome = { kind: 'blocked', reason: 'private_address', duration_ms: 0 };

/** Answers with the outcomes in turn, the last one for ever, and remembers the requests. */
export function receiver(...outcomes: Outcome[]): Send & { posts: OutboundRequest[] } {
  const posts: OutboundRequest[] = [];
  const send: Send = async (request) => {
    posts.push(request);
    return outcomes[Math.min(posts.length, outcomes.length) - 1] ?? refused;
  };
  return Object.assign(send, { posts });
}

export interface Due extends DeliveryKey {
  key_id: string;
}

/** A run that has ended, with its delivery due at `dueAt`; of the workspace of another delivery, if given. */
export async function newDelivery(dueAt = Date.now() + 60_000, like?: Due): Promise<Due> {
  const workspace_id = like?.workspace_id ?? newId();
  const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
  const key = { key_id, workspace_id, name: 'k', scopes: [], created_at: 1 };
  if (!like) await apiKeys.create(key, sha256Hex(key_id), 'c2VhbGVk');
  const run = await runs.create(
    runRecord({
      workspace_id,
      key_id,
      status: 'succeeded',
      created_at: 1,
      completed_at: 2,
      log_finished: true,
    }),
    [],
    [],
  );
  const place = { workspace_id, run_id: run.id, event_id: eventId(run.id, 9) };
  const delivery: deliveries.DeliveryRecord = {
    ...place,
    listed_at: Date.now(),
    event_type: 'run.succeeded',
    url: 'https://hooks.example.com/cb',
    api_version: API_VERSION,
    key_id,
    body,
    status: 'pending',
    attempts: [],
    next_attempt: 1,
    last_attempt: 3,
    due_pk: duePartition(due.deliveries, run.id),
    due_at: dueAt,
  };
  await transact([deliveries.deliveryWrite(delivery)]);
  return { ...place, key_id };
}

export const placeOf = ({ workspace_id, run_id, event_id }: Due): DeliveryKey => ({
  workspace_id,
  run_id,
  event_id,
});
/** The message of an attempt, with the request of its run. */
export const messageOf = (delivery: Due, attempt: number) => ({
  ...placeOf(delivery),
  attempt,
  request_id: 'r',
});
