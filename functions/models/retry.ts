// Retries a call of a model or a source that fails transiently.
import { limits } from '#contract/limits.ts';
import { jitter, pause } from '#platform/pause.ts';

/** A failed attempt that is followed by another one. */
export interface Retry {
  attempt: number;
  delay_ms: number;
  error: Error;
}

interface Retries {
  onRetry?: ((retry: Retry) => Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

/** An error that says of itself whether another try may succeed, and when. */
interface Passing extends Error {
  transient: boolean;
  retry_after_ms?: number | undefined;
}

const isTransient = (error: unknown): error is Passing =>
  error instanceof Error && 'transient' in error && error.transient === true;

/** The output of the first successful attempt, counted from 1. Throws the error of the last one. */
export async function withRetry<Output>(
  call: (attempt: number) => Promise<Output>,
  { onRetry, signal }: Retries,
): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(attempt);
    } catch (error) {
      if (!isTransient(error) || signal?.aborted) throw error;
      const delay_ms = delayAfter(attempt, error.retry_after_ms);
      if (delay_ms === undefined) throw error;
      await onRetry?.({ attempt, delay_ms, error });
      await pause(delay_ms, signal);
    }
  }
}

/** The wait before the next attempt; undefined: there is none (rules.md: models 4). */
function delayAfter(attempt: number, asked_ms: number | undefined): number | undefined {
  const usual = limits.model_retry_delays_ms[attempt - 1];
  if (usual === undefined || asked_ms === undefined) return usual && jitter(usual);
  return asked_ms <= limits.model_retry_after_max_ms ? asked_ms : undefined;
}
