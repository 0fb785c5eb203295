// The model of this stage and its prices, read once per process.
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

/** The configured model and price table. Throws when a stage setting is invalid. */
export function configuredModel(): ConfiguredModel {
  choice ??= {
    model: createModel(env('MODEL'), modelEnv()),
    prices: pricesFrom(optionalEnv('PRICES')),
  };
  return choice;
}
