// One setting selects the model: `offline`, `bedrock:<model id>` or `openai:<model>@<base url>` (rules.md: local 6).
import { type ModelSpec, modelName, parseModelSpec } from '#contract/models.ts';
import { createEmbedding, type EmbeddingEnv } from './create-embedding.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { limitsOf } from './endpoint-limits.ts';
import { loaded } from './loaded.ts';
import type { Model } from './model.ts';
import { offlineLimits } from './offline/limits.ts';

/** The model of a setting. A model is loaded on the first call that needs it. Throws Error on an invalid setting. */
export function createModel(setting: string, env: EmbeddingEnv = {}): Model {
  const spec = parseModelSpec(setting);
  const name = modelName(spec);
  return { name, nameOf: () => name, ...chatOf(spec, env), ...createEmbedding(env) };
}

function chatOf(spec: ModelSpec, env: EmbeddingEnv): Pick<Model, 'call' | 'limits'> {
  if (spec.provider === 'offline') return { call: offlineCall, limits: async () => offlineLimits };
  const endpoint = endpointOf(spec, 'MODEL_API_KEY');
  return { call: languageCalls(endpoint, env), limits: async () => limitsOf(endpoint, undefined) };
}

/** The offline model is a separate file of a bundle: a stage with a provider's model never reads it. */
const offlineCall: Model['call'] = async (...input) =>
  (await import('./offline/offline-model.ts')).offlineModel().call(...input);

function languageCalls(endpoint: Endpoint, env: EmbeddingEnv): Model['call'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).languageModel(endpoint, env));
  return (task, input, context, attempt) => provider((call) => call(task, input, context, attempt));
}
