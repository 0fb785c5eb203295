// How much fits in one call of the offline model: it writes no prompt, so everything.
import { endpointDefaults } from '#contract/model-endpoints.ts';
import type { ModelLimits } from '#models/model.ts';

export const offlineLimits: ModelLimits = {
  context_tokens: Number.MAX_SAFE_INTEGER,
  max_output_tokens: endpointDefaults.max_output_tokens,
};
