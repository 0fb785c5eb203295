// What providers report as usage, as counts of tokens.
import type { LanguageModelUsage } from 'ai';
import type { TokenUsage } from '#models/model.ts';

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
