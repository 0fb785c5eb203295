// The model of this stage and its prices, read once per process.
import type { PriceTable } from '#contract/models.ts';
import { env, optionalEnv } from '#platform/env.ts';
import { createModel, type ModelEnv } from './create-model.ts';
import type { Model } from './model.ts';
import { pricesFrom } from './pricing.ts';

export interface ConfiguredModel {
  model: Model;
  prices: PriceTable;
}

let choice: ConfiguredModel | undefined;

/** The configured model and price table. Throws when a stage setting is invalid. */
export function configuredModel(): ConfiguredModel {
  choice ??= {
    model: createModel(env('MODEL'), modelEnv()),
    prices: pricesFrom(optionalEnv('PRICES')),
  };
  return choice;
}

function modelEnv(): ModelEnv {
  return {
    MODEL_API_KEY: optionalEnv('MODEL_API_KEY') ?? optionalEnv('OPENAI_API_KEY'),
    MODEL_API_KEY_SECRET_ARN: optionalEnv('MODEL_API_KEY_SECRET_ARN'),
    EMBEDDING_MODEL: optionalEnv('EMBEDDING_MODEL'),
  };
}

/** The configured embedding, which has its own setting. For functions that call no language model. */
export function configuredEmbedding(): Pick<Model, 'embed' | 'embeddingName'> {
  return createModel('offline', modelEnv());
}
