// The queues of record index work, one message per workspace: compactions, and audits, which may wait for hours.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SQSClient(clientSettings('sqs'));

export const RecordJob = z.object({ workspace_id: z.string() });

/** Enqueues a compaction. A duplicate is harmless: compactions are claimed. */
export const enqueueCompaction = (workspaceId: string) => enqueue(env('COMPACTION_QUEUE_URL'), workspaceId);

/** Enqueues an audit. A duplicate is harmless: an audit only reads, and asks for a compaction. */
export const enqueueAudit = (workspaceId: string) => enqueue(env('AUDIT_QUEUE_URL'), workspaceId);

async function enqueue(QueueUrl: string, workspace_id: string): Promise<void> {
  const MessageBody = JSON.stringify({ workspace_id } satisfies z.infer<typeof RecordJob>);
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: workspace_id }));
}
