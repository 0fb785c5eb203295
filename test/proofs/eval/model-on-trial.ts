// The model that the evaluation asks, its prices, and how many trials it takes at once.
import { endpointDefaults, type ModelsFile } from '#contract/model-endpoints.ts';
import { packVariable } from '#contract/packed-variable.ts';
import type { evaluate } from '#domain/evaluation/evaluate.ts';
import { createModel } from '#models/create-model.ts';
import { settingsOf } from '#models/endpoint-settings.ts';
import { type ModelFlags, readFlags } from '../../../lib/local/cli/flags.ts';
import { providerEnv } from '../../../lib/local/cli/provider-env.ts';

export type ModelOnTrial = Pick<Parameters<typeof evaluate>[1], 'model' | 'prices' | 'parallel'>;

/** The model of a models file, as `npm start` reads it; without one, the offline model. Throws SetupError. */
export function modelIn(path: string | undefined): ModelOnTrial {
  return onTrial(readFlags(path === undefined ? [] : ['--models', path]));
}

/** The model of a file that was read. */
export const modelOf = (models: ModelsFile): ModelOnTrial => onTrial({ ...readFlags([]), models });

function onTrial(flags: ModelFlags): ModelOnTrial {
  const { models } = flags;
  const env = { ...providerEnv(flags), ...(models && { MODELS: packVariable(models) }) };
  const parallel = models?.chat.map((endpoint) => endpoint.parallel) ?? [endpointDefaults.parallel];
  return {
    model: createModel(flags.model, env),
    prices: settingsOf({ MODEL: flags.model, ...env }).prices,
    parallel: Math.min(...parallel),
  };
}
