// The embedding, which has a separate setting: functions that only embed carry no language model.
import { parseModelSpec } from '#contract/models.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import type { KeyEnv } from './endpoint-keys.ts';
import { loaded } from './loaded.ts';
import type { Model } from './model.ts';
import { offlineEmbedding } from './offline/embedding.ts';

/** What choosing an embedding reads of the environment. */
export interface EmbeddingEnv extends KeyEnv {
  /** Spelled like the model; absent or `offline`: the offline embedding, which calls no provider. */
  EMBEDDING_MODEL?: string | undefined;
}

export type Embedding = Pick<Model, 'embed' | 'embeddingName'>;

/** The embedding of the setting. Throws Error on a wrong one. */
export function createEmbedding(env: EmbeddingEnv): Embedding {
  const spec = parseModelSpec(env.EMBEDDING_MODEL || 'offline');
  if (spec.provider === 'offline') return offlineEmbedding;
  const endpoint = endpointOf(spec, 'EMBEDDING_API_KEY');
  return { embeddingName: endpoint.name, embed: embeddingCalls(endpoint, env) };
}

function embeddingCalls(endpoint: Endpoint, env: KeyEnv): Model['embed'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).embeddingModel(endpoint, env));
  return (texts, attempt) => provider((embed) => embed(texts, attempt));
}
