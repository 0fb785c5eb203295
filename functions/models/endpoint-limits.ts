// How much fits in one call of an endpoint.
import { endpointDefaults, INPUT_TOKENS_MIN, outputTokens } from '#contract/model-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import type { ModelLimits } from './model.ts';

/** The limits of an endpoint whose context, unless it is a setting, was stated as `stated`. */
export function limitsOf(endpoint: Endpoint, stated: number | undefined): ModelLimits {
  const context_tokens = endpoint.context_tokens ?? stated ?? endpointDefaults.context_tokens;
  const output = outputTokens(context_tokens, endpoint.max_output_tokens);
  // A context that was stated may be smaller than the setting of the output expects.
  return {
    context_tokens,
    max_output_tokens: Math.max(1, Math.min(output, context_tokens - INPUT_TOKENS_MIN)),
  };
}
