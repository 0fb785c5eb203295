// What providers report, in our terms: tokens of a call, and whether a failure may pass.
import { APICallError, type LanguageModelUsage } from 'ai';
import { ModelError, type TokenUsage } from './model.ts';

/**
 * Tokens of one call; null when the provider left them out. Cached input stays part of the input; thinking is taken out of the output,
 * because it is billed as output on top.
 */
export function tokensOf(usage: LanguageModelUsage | undefined): TokenUsage | null {
  const input = usage?.inputTokens;
  const output = usage?.outputTokens;
  if (!isCount(input) || !isCount(output) || input === 0) return null;
  const cached = usage?.inputTokenDetails.cacheReadTokens;
  const thinking = usage?.outputTokenDetails.reasoningTokens;
  const thought = isCount(thinking) ? Math.min(thinking, output) : 0;
  return {
    input_tokens: input,
    cached_input_tokens: isCount(cached) ? Math.min(cached, input) : 0,
    output_tokens: output - thought,
    thinking_tokens: thought,
  };
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}

/** Tokens of an embedding call; null when the provider left them out. */
export function embeddingTokensOf(tokens: number): TokenUsage | null {
  if (!isCount(tokens) || tokens === 0) return null;
  return { input_tokens: tokens, cached_input_tokens: 0, output_tokens: 0, thinking_tokens: 0 };
}

/** Any failure of a call as a ModelError: throttling, 5xx, timeouts and lost connections may pass, everything else is final. */
export function modelErrorOf(error: unknown, signal: AbortSignal, usages: (TokenUsage | null)[]): ModelError {
  if (signal.aborted) return new ModelError('The model timed out', true, usages);
  if (!APICallError.isInstance(error)) {
    const name = error instanceof Error ? error.name : 'unknown error';
    return new ModelError(`The model could not be called (${name})`, false, usages);
  }
  const status = error.statusCode;
  if (status === undefined) return new ModelError('The model could not be reached', true, usages);
  if (status === 429) return new ModelError('The model is throttled (HTTP 429)', true, usages);
  if (status === 408 || status >= 500)
    return new ModelError(`The model is unavailable (HTTP ${status})`, true, usages);
  if (status < 400) return new ModelError('The model sent a reply that cannot be read', false, usages);
  return new ModelError(`The model refused the call (HTTP ${status})`, false, usages);
}
