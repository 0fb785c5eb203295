// The embedding, which has a separate setting: functions that only embed carry no language model.
import { parseModelSpec } from '#contract/models.ts';
import type { ProviderKey, ProviderSpec } from './ai-sdk/providers.ts';
import { loaded } from './loaded.ts';
import type { Model } from './model.ts';
import { offlineEmbedding } from './offline/embedding.ts';

/** What choosing an embedding reads of the environment. */
export interface EmbeddingEnv extends ProviderKey {
  /** Spelled like the model; absent or `offline`: the offline embedding, which calls no provider. */
  EMBEDDING_MODEL?: string | undefined;
}

export type Embedding = Pick<Model, 'embed' | 'embeddingName'>;

/** The embedding of the setting. Throws Error on a wrong one. */
export function createEmbedding(env: EmbeddingEnv): Embedding {
  const spec = parseModelSpec(env.EMBEDDING_MODEL || 'offline');
  if (spec.provider === 'offline') return offlineEmbedding;
  return { embeddingName: spec.model, embed: embeddingCalls(spec, env) };
}

function embeddingCalls(spec: ProviderSpec, env: ProviderKey): Model['embed'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).embeddingModel(spec, env));
  return (texts, attempt) => provider((embed) => embed(texts, attempt));
}
