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
  signal?: AbortSignal;
}

/** Whether an error says of itself that another try may succeed. */
const isTransient = (error: unknown): error is Error =>
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
      const delay = limits.model_retry_delays_ms[attempt - 1];
      if (!isTransient(error) || signal?.aborted || delay === undefined) throw error;
      const delay_ms = jitter(delay);
      await onRetry?.({ attempt, delay_ms, error });
      await pause(delay_ms, signal);
    }
  }
}
