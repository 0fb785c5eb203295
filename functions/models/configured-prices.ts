// The names and prices of the models of this stage, for functions that call none.

import { type ListedPricing, pricingOf, settingsOf } from './endpoint-settings.ts';
import { modelEnv } from './model-env.ts';

/** The configured names and prices. Throws when a setting is invalid. */
export const configuredPrices = (): ListedPricing => pricingOf(settingsOf(modelEnv()));
