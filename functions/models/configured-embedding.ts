// The embedding that this stage has chosen.
import { optionalEnv } from '#platform/env.ts';
import { createEmbedding, type Embedding, type EmbeddingEnv } from './create-embedding.ts';

/** What the functions of this stage know of the embedding model and of the key of a provider. */
export function modelEnv(): EmbeddingEnv {
  return {
    MODEL_API_KEY: optionalEnv('MODEL_API_KEY'),
    EMBEDDING_API_KEY: optionalEnv('EMBEDDING_API_KEY'),
    OPENAI_API_KEY: optionalEnv('OPENAI_API_KEY'),
    MODEL_KEYS: optionalEnv('MODEL_KEYS'),
    MODEL_API_KEY_SECRET_ARN: optionalEnv('MODEL_API_KEY_SECRET_ARN'),
    ONE_MODEL_HOST: optionalEnv('ONE_MODEL_HOST'),
    EMBEDDING_MODEL: optionalEnv('EMBEDDING_MODEL'),
  };
}

/** The configured embedding, for functions that call no model. */
export const configuredEmbedding = (): Embedding => createEmbedding(modelEnv());
