// Sends one webhook to the receiver, with retries.
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../problem.ts';
import { type EndEvent, webhookHeaders } from './signed-request.ts';

/** The result of an attempt. */
export interface Attempt {
  event_id: string;
  event_type: string;
  run_id: string;
  attempt: number;
  duration_ms: number;
  status_code?: number;
  error?: string;
}

export interface Forwarding {
  url: URL;
  apiKey: string;
  fetch: typeof fetch;
  signal: AbortSignal;
  /** Receives every attempt. */
  made(attempt: Attempt): void;
}

const TIMEOUT_MS = 10_000;
const RETRY_DELAYS_MS = [1000, 5000];
const AWAY_DELAY_MS = 2000;

/**
 * Posts until the receiver has given a final answer. Like the service, it tries 408, 429 and 5xx three times in total
 * and never follows a redirect; unlike the service, it waits for a receiver that does not answer at all. Throws the
 * signal's reason.
 */
export async function forward(event: EndEvent, body: string, how: Forwarding): Promise<void> {
  let answered = 0;
  for (let attempt = 1; ; attempt += 1) {
    const made = await post(event, body, attempt, how);
    how.signal.throwIfAborted();
    how.made(made);
    const { status_code } = made;
    if (status_code === undefined) {
      await wait(AWAY_DELAY_MS, undefined, { signal: how.signal });
      continue;
    }
    const delay = RETRY_DELAYS_MS[answered];
    if (!isPassing(status_code) || delay === undefined) return;
    answered += 1;
    await wait(delay, undefined, { signal: how.signal });
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

async function post(event: EndEvent, body: string, attempt: number, how: Forwarding): Promise<Attempt> {
  const startedAt = Date.now();
  const { event_id, event_type, run_id } = event;
  const made = (outcome: Pick<Attempt, 'status_code' | 'error'>): Attempt => ({
    ...{ event_id, event_type, run_id, attempt, duration_ms: Date.now() - startedAt },
    ...outcome,
  });
  try {
    const response = await how.fetch(how.url, {
      method: 'POST',
      headers: webhookHeaders(event, body, how.apiKey, startedAt),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([how.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return made({ status_code: response.status });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return made({ error: messageOf(cause) });
  }
}
