// Maps a provider or network failure to a ModelError.
import { APICallError } from 'ai';
import { KeyRefused, ModelError } from '#models/model.ts';

/** Throttling, 5xx, timeouts and lost connections are transient; a refused key is a KeyRefused; the rest is final. */
export function modelErrorOf(error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return new ModelError('The model timed out', true);
  if (!APICallError.isInstance(error)) {
    const name = error instanceof Error ? error.name : 'unknown error';
    return new ModelError(`The model could not be called (${name})`, false);
  }
  const status = error.statusCode;
  if (status === undefined) return new ModelError('The model could not be reached', true);
  if (status === 429) return new ModelError('The model is throttled (HTTP 429)', true);
  if (status === 408 || status >= 500)
    return new ModelError(`The model is unavailable (HTTP ${status})`, true);
  if (status >= 300 && status < 400)
    return new ModelError(`The model's address redirects to another one (HTTP ${status})`, false);
  if (status < 300) return new ModelError('The model sent a reply that cannot be read', false);
  const refusal = `The model refused the call (HTTP ${status})`;
  return status === 401 ? new KeyRefused(refusal, false) : new ModelError(refusal, false);
}
