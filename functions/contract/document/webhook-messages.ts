// What the service posts by itself: webhooks to a run's callback URL, and jobs to workers and people.
import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { JobCanceled, JobItem, JobRequested, QuestionRequested } from '../jobs.ts';
import { API_VERSION, limits } from '../limits.ts';
import { WebhookBody, WebhookRun } from '../webhooks.ts';

type Headers = readonly [name: string, description: string, example: string][];

const ofWebhooks: Headers = [
  [
    'X-Service-Signature',
    'Unix time of this attempt and the lowercase hex HMAC-SHA256 of that time, a dot and the exact body. The key is the lowercase hex SHA-256 of the API key that created the run, as text.',
    `t=1795000000,v1=${'0'.repeat(64)}`,
  ],
  [
    'X-Service-Event-Id',
    'Same as `event_id` in the body; use it to drop duplicates.',
    'evt_6da466da360f4d20bfd3dd73ce509fbf00000009',
  ],
  ['X-Service-Api-Version', 'Contract version of the run.', API_VERSION],
  [
    'traceparent',
    'W3C trace context: the trace of the run, and the span of this attempt.',
    '00-6da466da360f4d20bfd3dd73ce509fbf-00f067aa0ba902b7-01',
  ],
  ['User-Agent', 'Always the same.', 'service-webhook/1'],
  [
    'webhook-id',
    'The event id again, for Standard Webhooks verifiers.',
    'evt_6da466da360f4d20bfd3dd73ce509fbf00000009',
  ],
  ['webhook-timestamp', 'Unix time of this attempt, for Standard Webhooks verifiers.', '1795000000'],
  ['webhook-signature', 'Signature for Standard Webhooks verifiers: `v1,` and base64.', 'v1,AAAA'],
];

const ofJobs: Headers = [
  [
    'X-Service-Signature',
    'Unix time of this call and the lowercase hex HMAC-SHA256 of that time, a dot and the exact body. The key is the lowercase hex SHA-256 of the secret of the source, as text.',
    `t=1795000000,v1=${'0'.repeat(64)}`,
  ],
  ['X-Request-Id', 'Id of this call.', '7f3b52a4-6f2f-4d0b-9a35-6c1f0f8f2a11'],
  ['User-Agent', 'Always the same, unless the source has one in its `headers`.', 'service-source/1'],
];

/** The bodies of what the service posts, and their parts: the document counts them as requests. */
export const sentByService: ReadonlySet<unknown> = new Set([
  ...[WebhookBody, WebhookRun],
  ...[JobRequested, QuestionRequested, JobCanceled, JobItem],
]);

/** The `webhooks` of the document, by event type. */
export function webhooks(): ZodOpenApiPathsObject {
  return {
    'run.succeeded': { post: webhook('WebhookRunSucceeded', 'A run succeeded') },
    'run.failed': { post: webhook('WebhookRunFailed', 'A run failed') },
    'job.requested': {
      post: jobMessage(
        'WebhookJobRequested',
        'A job is requested',
        `Posted to the \`url\` of a source of kind \`job\`, with a \`token\`, and to the \`notify_url\` of one of kind \`person\`, with an \`answer_url\`. Any 2xx within ${limits.job_call_timeout_ms / 1000} s takes it. 429, 5xx, time-outs and lost connections are tried again; redirects are not followed. The same job may be sent twice, with the same \`job_id\`.`,
        z.union([JobRequested, QuestionRequested]),
      ),
    },
    'job.canceled': {
      post: jobMessage(
        'WebhookJobCanceled',
        'A job is canceled',
        'Posted once to where the job was sent, best effort, when its run has closed it: nothing that comes for it counts any more.',
        JobCanceled,
      ),
    },
  };
}

function webhook(operationId: string, summary: string): ZodOpenApiOperationObject {
  const description = `Posted once the run has ended. Compare the signature in constant time and refuse a time more than ${limits.webhook_tolerance_seconds} seconds off. Connection errors, 408, 429 and 5xx are retried after ${limits.webhook_retry_delays_seconds.join(' and ')} seconds; redirects are not followed. Deliveries may repeat and may come out of order. The secret of a Standard Webhooks verifier is \`whsec_\` and the base64 of the signing key.`;
  return message({ operationId, summary, description, tags: ['Webhooks'] }, ofWebhooks, WebhookBody);
}

const jobMessage = (operationId: string, summary: string, description: string, body: z.ZodType) =>
  message({ operationId, summary, description, tags: ['Jobs'] }, ofJobs, body);

function message(
  named: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description' | 'tags'>,
  headers: Headers,
  body: z.ZodType,
): ZodOpenApiOperationObject {
  return {
    ...named,
    security: [],
    parameters: headers.map(([name, description, example]) => ({
      name,
      in: 'header' as const,
      required: true,
      description,
      example,
      schema: { type: 'string' as const },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { '2XX': { description: 'Received. The body of the response is not read.' } },
  };
}
