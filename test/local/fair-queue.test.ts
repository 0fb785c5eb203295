// The queue shares its consumers among groups of messages, as a fair queue of SQS does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Queue } from '../../lib/local/sqs/message-store.ts';
import { openQueues, type Queues } from '../../lib/local/sqs/queues.ts';
import { sqs } from '../../lib/local/sqs/sqs.ts';
import { readStack } from '../../lib/local/template/template.ts';

const stack = readStack(
  { Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } } } },
  { siteUrl: 'http://127.0.0.1:1', endpointUrl: 'http://127.0.0.1:2' },
  '',
  [sqs],
);

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fair-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'queues.db');
}

function opened(file: string): { queues: Queues; queue: Queue } {
  const queues = openQueues(stack, file);
  onTestFinished(() => queues.close());
  const queue = queues.find('Queue');
  if (!queue) throw new Error('no queue');
  return { queues, queue };
}

const received = async ({ queues, queue }: { queues: Queues; queue: Queue }, max: number) =>
  (await queues.receive(queue, max, 0, new AbortController().signal)).map(({ body }) => body);

test('messages of a group with many in flight wait for those of groups with few, however old they are', async () => {
  const { queues, queue } = opened(newFile());
  for (const body of ['a1', 'a2', 'a3', 'a4']) queues.send(queue, body, 0, 'a');
  expect(await received({ queues, queue }, 2)).toEqual(['a1', 'a2']);
  queues.send(queue, 'b1', 0, 'b');
  queues.send(queue, 'alone', 0);
  expect(await received({ queues, queue }, 3)).toEqual(['b1', 'alone', 'a3']);
});
