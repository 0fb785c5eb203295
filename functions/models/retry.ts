// Retries a model call that fails transiently.
import { limits } from '#contract/limits.ts';
import { jitter, pause } from '#platform/pause.ts';
import { ModelError, type ModelReply } from './model.ts';

/** A failed attempt that is followed by another one. */
export interface Retry {
  attempt: number;
  delay_ms: number;
  error: string;
}

interface Retries {
  /** Receives the usages of every attempt, failed ones included. */
  onUsages(usages: ModelReply<unknown>['usages']): void;
  onRetry?(retry: Retry): Promise<void>;
  signal?: AbortSignal;
}

/** The output of the first successful attempt. Throws the ModelError of the last one. */
export async function withRetry<Output>(
  call: (attempt: number) => Promise<ModelReply<Output>>,
  { onUsages, onRetry, signal }: Retries,
): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const reply = await call(attempt);
      onUsages(reply.usages);
      return reply.output;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      onUsages(error.usages);
      const delay = limits.model_retry_delays_ms[attempt - 1];
      if (signal?.aborted || !error.transient || delay === undefined) throw error;
      const delay_ms = jitter(delay);
      await onRetry?.({ attempt, delay_ms, error: error.message });
      await pause(delay_ms, signal);
    }
  }
}
