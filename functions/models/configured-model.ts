// The model that this stage has chosen, and what its calls cost; read once per process.
import type { PriceTable } from '#contract/models.ts';
import { env, optionalEnv } from '#platform/env.ts';
import { modelEnv } from './configured-embedding.ts';
import { createModel } from './create-model.ts';
import type { Model } from './model.ts';
import { pricesFrom } from './pricing.ts';

export interface ConfiguredModel {
  model: Model;
  prices: PriceTable;
}

let choice: ConfiguredModel | undefined;

/** The configured model with its price table. Throws when the stage settings are wrong. */
export function configuredModel(): ConfiguredModel {
  choice ??= {
    model: createModel(env('MODEL'), modelEnv()),
    prices: pricesFrom(optionalEnv('PRICES')),
  };
  return choice;
}
