// What the functions of this stage know of models and their keys.
import { optionalEnv } from '#platform/env.ts';
import type { KeyEnv } from './endpoint-keys.ts';
import type { SettingEnv } from './endpoint-settings.ts';

/** The variables of this process. */
export function modelEnv(): SettingEnv & KeyEnv {
  return {
    MODEL: optionalEnv('MODEL'),
    EMBEDDING_MODEL: optionalEnv('EMBEDDING_MODEL'),
    PRICES: optionalEnv('PRICES'),
    MODELS: optionalEnv('MODELS'),
    MODEL_API_KEY: optionalEnv('MODEL_API_KEY'),
    EMBEDDING_API_KEY: optionalEnv('EMBEDDING_API_KEY'),
    OPENAI_API_KEY: optionalEnv('OPENAI_API_KEY'),
    MODEL_KEYS: optionalEnv('MODEL_KEYS'),
    MODEL_API_KEY_SECRET_ARN: optionalEnv('MODEL_API_KEY_SECRET_ARN'),
    ONE_MODEL_HOST: optionalEnv('ONE_MODEL_HOST'),
    BEDROCK_REGION: optionalEnv('BEDROCK_REGION'),
  };
}
