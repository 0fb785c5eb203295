// The model of this stage and its prices, read once per process.
import type { PriceTable } from '#contract/models.ts';
import { configuredPrices } from './configured-prices.ts';
import { createModel } from './create-model.ts';
import type { Model } from './model.ts';
import { modelEnv } from './model-env.ts';

export interface ConfiguredModel {
  model: Model;
  prices: PriceTable;
}

let choice: ConfiguredModel | undefined;

/** The configured model and price table. Throws when a stage setting is invalid. */
export function configuredModel(): ConfiguredModel {
  choice ??= { model: createModel(modelEnv().MODEL, modelEnv()), prices: configuredPrices().prices };
  return choice;
}
