// The webhooks that the service posts to a run's callback URL.
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { API_VERSION, limits } from '../limits.ts';
import { WebhookBody } from '../webhooks.ts';

const headers: readonly [name: string, description: string, example: string][] = [
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

/** The `webhooks` of the document, by event type. */
export function webhooks(): ZodOpenApiPathsObject {
  return {
    'run.succeeded': { post: operation('WebhookRunSucceeded', 'A run succeeded') },
    'run.failed': { post: operation('WebhookRunFailed', 'A run failed') },
  };
}

function operation(operationId: string, summary: string): ZodOpenApiOperationObject {
  return {
    operationId,
    summary,
    tags: ['Webhooks'],
    security: [],
    description: `Posted once the run has ended. Compare the signature in constant time and refuse a time more than ${limits.webhook_tolerance_seconds} seconds off. Connection errors, 408, 429 and 5xx are retried after ${limits.webhook_retry_delays_seconds.join(' and ')} seconds; redirects are not followed. Deliveries may repeat and may come out of order. The secret of a Standard Webhooks verifier is \`whsec_\` and the base64 of the signing key.`,
    parameters: headers.map(([name, description, example]) => ({
      name,
      in: 'header' as const,
      required: true,
      description,
      example,
      schema: { type: 'string' as const },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: WebhookBody } } },
    responses: { '2XX': { description: 'Received. The body of the response is not read.' } },
  };
}
