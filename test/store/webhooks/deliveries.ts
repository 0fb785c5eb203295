// Runs with a delivery that is due, a queue that remembers, and outcomes to order.
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageCommand, type SendMessageCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { DeliveryKey } from '#contract/keys.ts';
import { API_VERSION } from '#contract/limits.ts';
import type { OutboundRequest, Outcome, Send } from '#outbound/request.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import * as apiKeys from '#store/api-keys.ts';
import * as deliveries from '#store/deliveries.ts';
import { eventId } from '#store/events.ts';
import * as runs from '#store/runs.ts';
import { transact } from '#store/table.ts';
import { due } from '#store/table-keys.ts';

export const secretHex = sha256Hex('sk_test_vector_0001');
export const body = '{"event_id":"e","n": 1.0,"text":"ÄÖ"}';

const sqs = mockClient(SQSClient);
const kms = mockClient(KMSClient);

/** Replaces the queue and the key service; call before each test. */
export function replaceNeighbours(): void {
  Object.assign(process.env, { SIGNING_KEY_ID: 'key', DELIVERY_QUEUE_URL: 'http://127.0.0.1/queue' });
  sqs.reset();
  kms.reset();
  sqs.on(SendMessageCommand).resolves({});
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from(secretHex) });
}

/** Lets the queue refuse every message. */
export function breakQueue(): void {
  sqs.on(SendMessageCommand).rejects(new Error('queue unreachable'));
}

/** Hands every message to `take` as well; what it throws, the sender meets. */
export function onEnqueue(take: (sent: Enqueued) => Promise<void>): void {
  sqs.on(SendMessageCommand).callsFake(async (input: SendMessageCommandInput) => {
    await take({ message: JSON.parse(input.MessageBody ?? ''), delay: input.DelaySeconds });
    return {};
  });
}

/** Lets the key service refuse. */
export function breakKeys(): void {
  kms.on(DecryptCommand).rejects(new Error('keys unreachable'));
}

export interface Enqueued {
  message: unknown;
  delay: number | undefined;
}

/** What was put on the queue since the last reset. */
export function enqueued(): Enqueued[] {
  return sqs.commandCalls(SendMessageCommand).map(({ args }) => ({
    message: JSON.parse(args[0].input.MessageBody ?? ''),
    delay: args[0].input.DelaySeconds,
  }));
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

async function newRun(workspace_id: string, key_id: string): Promise<runs.RunRecord> {
  const run: runs.RunRecord = {
    id: newId(),
    workspace_id,
    status: 'succeeded',
    api_version: API_VERSION,
    created_at: 1,
    completed_at: 2,
    input_type: 'query',
    config: {},
    request_id: 'r',
    key_id,
    steps: [],
    message: null,
    artifacts: [],
    note_ids: [],
    warnings: [],
    errors: [],
    spent: runs.nothingSpent,
    resume_count: 0,
    inherited: [],
    position: 0,
    execution: 'x',
    log_finished: true,
    version: 1,
    last_sequence: 0,
    last_event_at: 1,
  };
  return runs.create(run, [], []);
}

export interface Due extends DeliveryKey {
  key_id: string;
}

/** A run that has ended, with its delivery due at `dueAt`. */
export async function newDelivery(dueAt = Date.now() + 60_000): Promise<Due> {
  const workspace_id = newId();
  const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
  const key = { key_id, workspace_id, name: 'k', scopes: [], created_at: 1 };
  await apiKeys.create(key, sha256Hex(key_id), 'c2VhbGVk');
  const run = await newRun(workspace_id, key_id);
  const place = { workspace_id, run_id: run.id, event_id: eventId(run.id, 9) };
  const delivery: deliveries.DeliveryRecord = {
    ...place,
    event_type: 'run.succeeded',
    url: 'https://hooks.example.com/cb',
    api_version: API_VERSION,
    key_id,
    body,
    status: 'pending',
    attempts: [],
    next_attempt: 1,
    last_attempt: 3,
    due_pk: due.deliveries,
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
export const messageOf = (delivery: Due, attempt: number) => ({ ...placeOf(delivery), attempt });
