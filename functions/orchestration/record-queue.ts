// The queue of record index work: one message per workspace to compact or audit.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SQSClient(clientSettings('sqs'));

export const RecordJob = z.object({ workspace_id: z.string(), job: z.enum(['compact', 'audit']) });
export type RecordJob = z.infer<typeof RecordJob>;

/** Enqueues a job. A duplicate is harmless: jobs are claimed. */
export async function enqueueRecordJob(job: RecordJob): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: env('RECORD_QUEUE_URL'),
      MessageBody: JSON.stringify(job),
      MessageGroupId: job.workspace_id,
    }),
  );
}
