// The embedding that this stage has chosen.
import { createEmbedding, type Embedding } from './create-embedding.ts';
import { settingsOf } from './endpoint-settings.ts';
import { modelEnv } from './model-env.ts';

/** The configured embedding, for functions that call no model. */
export function configuredEmbedding(): Embedding {
  const env = modelEnv();
  return createEmbedding(settingsOf(env), env);
}
