// One setting chooses the model: `offline`, `bedrock:<model id>` or `openai:<model>@<base url>` (Contract 1, `--model`).

import { type ModelSpec, modelName, parseModelSpec } from '#contract/models.ts';
import { type Model, ModelError } from './model.ts';
import { offlineModel } from './offline.ts';

/** What `createModel` reads of the environment; the key of an OpenAI-compatible endpoint is optional, as local servers need none. */
export interface ModelEnv {
  MODEL_API_KEY?: string | undefined;
  MODEL_API_KEY_SECRET_ARN?: string | undefined;
  /** Spec of the embedding model, spelled like the model; absent or `offline`: the offline embedding, which is no provider call. */
  EMBEDDING_MODEL?: string | undefined;
}

/** The model of a setting. Nothing of a provider is loaded before the first call that needs it. Throws Error on a wrong setting. */
export function createModel(setting: string, env: ModelEnv = {}): Model {
  const spec = parseModelSpec(setting);
  const embedding = parseModelSpec(env.EMBEDDING_MODEL || 'offline');
  const offline = offlineModel();
  return {
    name: modelName(spec),
    embeddingName: embedding.provider === 'offline' ? null : embedding.model,
    call: spec.provider === 'offline' ? offline.call : languageCalls(spec, env),
    embed: embedding.provider === 'offline' ? offline.embed : embeddingCalls(embedding, env),
  };
}

type ProviderSpec = Exclude<ModelSpec, { provider: 'offline' }>;

function languageCalls(spec: ProviderSpec, env: ModelEnv): Model['call'] {
  const load = once(async () => (await import('./providers.ts')).languageModel(spec, env));
  return async (task, input, context, signal) => (await load())(task, input, context, signal);
}

function embeddingCalls(spec: ProviderSpec, env: ModelEnv): Model['embed'] {
  const load = once(async () => (await import('./providers.ts')).embeddingModel(spec, env));
  return async (texts, signal) => (await load())(texts, signal);
}

/** Loads at the first use, and again after a failure (the key could not be read): that is a ModelError which may pass. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    loading ??= load();
    try {
      return await loading;
    } catch {
      loading = undefined;
      throw new ModelError('The model could not be set up: its key cannot be read', true);
    }
  };
}
