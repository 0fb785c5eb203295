// The queue of work on record indexes: one message a workspace to compact or to audit.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SQSClient(clientSettings('sqs'));

export const RecordJob = z.object({ workspace_id: z.string(), job: z.enum(['compact', 'audit']) });
export type RecordJob = z.infer<typeof RecordJob>;

/** Puts a job on the queue. A job too many is harmless: jobs are claimed. */
export async function enqueueRecordJob(job: RecordJob): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: env('RECORD_QUEUE_URL'),
      MessageBody: JSON.stringify(job),
      MessageGroupId: job.workspace_id,
    }),
  );
}
