// What the outcome of an attempt means for its delivery.
import type { Outcome } from '#outbound/request.ts';

export type AttemptClass = 'delivered' | 'retry' | 'failed';

/**
 * 2xx is delivered; connection errors, 408, 429 and 5xx are retried; everything else is final, including redirects and
 * blocked addresses (rules.md: webhooks 3).
 */
export function classifyAttempt(outcome: Outcome): AttemptClass {
  if (outcome.kind === 'blocked') return 'failed';
  if (outcome.kind === 'failed') return 'retry';
  const { status } = outcome;
  if (status >= 200 && status <= 299) return 'delivered';
  return status === 408 || status === 429 || (status >= 500 && status <= 599) ? 'retry' : 'failed';
}
