// The embedding of the settings: functions that only embed carry no language model.
import type { Endpoint } from './endpoint.ts';
import type { KeyEnv } from './endpoint-keys.ts';
import type { ModelSettings } from './endpoint-settings.ts';
import { loaded } from './loaded.ts';
import type { Model } from './model.ts';
import { offlineEmbedding } from './offline/embedding.ts';

export type Embedding = Pick<Model, 'embed' | 'embeddingName' | 'embeddingModel' | 'embeddingDimensions'>;

/** The embedding of the settings. */
export function createEmbedding({ embedding }: Pick<ModelSettings, 'embedding'>, env: KeyEnv): Embedding {
  if (!embedding) return offlineEmbedding;
  const { name, model, dimensions } = embedding;
  return {
    embeddingName: name,
    embeddingModel: model,
    embeddingDimensions: dimensions,
    embed: embeddingCalls(embedding, env),
  };
}

function embeddingCalls(endpoint: Endpoint, env: KeyEnv): Model['embed'] {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).embeddingModel(endpoint, env));
  return (texts, attempt) => provider((embed) => embed(texts, attempt));
}
