// One setting selects the model: `offline`, `bedrock:<model id>` or `openai:<model>@<base url>` (rules.md: local 6).
import { modelName, parseModelSpec } from '#contract/models.ts';
import type { ProviderKey, ProviderSpec } from './ai-sdk/providers.ts';
import { KeyRefused, type Model, ModelError } from './model.ts';
import { offlineModel } from './offline/offline-model.ts';

/** The environment variables that `createModel` reads. */
export interface ModelEnv extends ProviderKey {
  /** The embedding model, in the same syntax. Absent or `offline`: the offline embedding, which calls no provider. */
  EMBEDDING_MODEL?: string | undefined;
}

/** The model of a setting. A provider is loaded on the first call that needs it. Throws Error on an invalid setting. */
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

function languageCalls(spec: ProviderSpec, env: ModelEnv): Model['call'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).languageModel(spec, env));
  return (task, input, context, signal) => provider((call) => call(task, input, context, signal));
}

function embeddingCalls(spec: ProviderSpec, env: ModelEnv): Model['embed'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).embeddingModel(spec, env));
  return (texts, signal) => provider((embed) => embed(texts, signal));
}

/**
 * Loads on first use and again after a failure, which surfaces as a transient ModelError. When the provider refuses the
 * key, the use is repeated once with the key read again: an operator may have rotated it.
 */
function loaded<T>(load: () => Promise<T>): <R>(use: (provider: T) => Promise<R>) => Promise<R> {
  let loading: Promise<T> | undefined;
  async function current(): Promise<T> {
    loading ??= load();
    try {
      return await loading;
    } catch {
      loading = undefined;
      throw new ModelError('The model could not be set up: its key cannot be read', true);
    }
  }
  return async (use) => {
    const provider = await current();
    try {
      return await use(provider);
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      // Of many refused calls, the first reloads the key for all.
      if ((await current()) === provider) loading = undefined;
      return use(await current());
    }
  };
}
