// The model that this stage has chosen, and what its calls cost; read once per process.

import type { PriceTable } from '#contract/models.ts';
import { env, optionalEnv } from '#platform/env.ts';
import type { Model } from './model.ts';
import { pricesFrom } from './pricing.ts';
import { createModel, type ModelEnv } from './select.ts';

export interface ModelChoice {
  model: Model;
  prices: PriceTable;
}

let choice: ModelChoice | undefined;

/** The configured model with its price table. Throws when the stage settings are wrong. */
export function modelChoice(): ModelChoice {
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

/** The configured embedding, for those who call no model: it has a setting of its own. */
export function embeddingChoice(): Pick<Model, 'embed' | 'embeddingName'> {
  return createModel('offline', modelEnv());
}
