// Name and prices of the configured model, for those who call no model and so need not carry one.
import { env, optionalEnv } from '#platform/env.ts';
import { modelName, parseModelSpec } from './model-spec.ts';
import { type PriceTable, pricesFrom } from './pricing.ts';

/** The name of the configured model and its price table. */
export function modelPrices(): { name: string; prices: PriceTable } {
  return { name: modelName(parseModelSpec(env('MODEL'))), prices: pricesFrom(optionalEnv('PRICES')) };
}
