// Maps a provider's usage report to token counts.
import type { LanguageModelUsage } from 'ai';
import type { TokenUsage } from '#models/model.ts';

/**
 * Tokens of one call; null when the provider did not report them. Cached input stays in the input count. Reasoning is
 * subtracted from the output, because it is billed on top of it.
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

/** Tokens of an embedding call; null when the provider did not report them. */
export function embeddingTokensOf(tokens: number): TokenUsage | null {
  if (!isCount(tokens) || tokens === 0) return null;
  return { input_tokens: tokens, cached_input_tokens: 0, output_tokens: 0, thinking_tokens: 0 };
}
