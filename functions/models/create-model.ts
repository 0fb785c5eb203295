// One setting selects the model: `offline`, `bedrock:<model id>` or `openai:<model>@<base url>` (rules.md: local 6).
import { modelName, parseModelSpec } from '#contract/models.ts';
import type { ProviderSpec } from './ai-sdk/providers.ts';
import { createEmbedding, type EmbeddingEnv } from './create-embedding.ts';
import { loaded } from './loaded.ts';
import type { Model } from './model.ts';

/** The model of a setting. A model is loaded on the first call that needs it. Throws Error on an invalid setting. */
export function createModel(setting: string, env: EmbeddingEnv = {}): Model {
  const spec = parseModelSpec(setting);
  return {
    name: modelName(spec),
    call: spec.provider === 'offline' ? offlineCall : languageCalls(spec, env),
    ...createEmbedding(env),
  };
}

/** The offline model is a separate file of a bundle: a stage with a provider's model never reads it. */
const offlineCall: Model['call'] = async (...input) =>
  (await import('./offline/offline-model.ts')).offlineModel().call(...input);

function languageCalls(spec: ProviderSpec, env: EmbeddingEnv): Model['call'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).languageModel(spec, env));
  return (task, input, context, attempt) => provider((call) => call(task, input, context, attempt));
}
