// A model of a test: one function answers every task.
import type { Model } from '#models/model.ts';
import { offlineLimits } from '#models/offline/limits.ts';

/** The model, called by this name in prices and usage. */
export function modelOf(call: Model['call'], name = 'offline'): Model {
  return {
    name,
    names: [name],
    namesFor: () => [name],
    parallel: () => Number.POSITIVE_INFINITY,
    limits: async () => offlineLimits,
    embeddingName: null,
    embeddingModel: 'offline',
    call,
    embed: async (texts) => texts.map(() => [1]),
  };
}
