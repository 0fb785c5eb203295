// Retries a model call that fails transiently.
import { limits } from '#contract/limits.ts';
import { jitter, pause } from '#platform/pause.ts';
import { ModelError } from './model.ts';

/** A failed attempt that is followed by another one. */
export interface Retry {
  attempt: number;
  delay_ms: number;
  error: string;
}

interface Retries {
  onRetry?: ((retry: Retry) => Promise<void>) | undefined;
  signal?: AbortSignal;
}

/** The output of the first successful attempt, counted from 1. Throws the ModelError of the last one. */
export async function withRetry<Output>(
  call: (attempt: number) => Promise<Output>,
  { onRetry, signal }: Retries,
): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(attempt);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const delay = limits.model_retry_delays_ms[attempt - 1];
      if (signal?.aborted || !error.transient || delay === undefined) throw error;
      const delay_ms = jitter(delay);
      await onRetry?.({ attempt, delay_ms, error: error.message });
      await pause(delay_ms, signal);
    }
  }
}
