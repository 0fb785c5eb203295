// Messages of the queues: each belongs to the group of its workspace, so that a queue can be fair to the others.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { enqueueAttempt } from '../../../functions/orchestration/delivery-queue.ts';
import { enqueueCompaction } from '../../../functions/orchestration/record-queues.ts';

const sqs = mockClient(SQSClient);
const workspace_id = '7d9fbb0e-6c5c-4d8c-9b39-6a3f3d1f8a11';

beforeEach(() => {
  sqs.reset();
  vi.stubEnv('DELIVERY_QUEUE_URL', 'https://queue.example/deliveries');
  vi.stubEnv('COMPACTION_QUEUE_URL', 'https://queue.example/compactions');
});
afterEach(() => vi.unstubAllEnvs());

test('a workspace whose deliveries pile up delays no other one', async () => {
  await enqueueAttempt({ workspace_id, run_id: 'r', event_id: 'e', attempt: 1 }, 30);
  await enqueueCompaction(workspace_id);
  const groups = sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input.MessageGroupId);
  expect(groups).toEqual([workspace_id, workspace_id]);
});
