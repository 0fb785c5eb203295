// The model that the evaluation asks, its prices, and how many calls it takes at once.
import { readFileSync } from 'node:fs';
import { endpointDefaults, type ModelsFile, parseModelsFile } from '#contract/model-endpoints.ts';
import { builtInPrices } from '#contract/prices.ts';
import type { evaluate } from '#domain/evaluation/evaluate.ts';
import { languageModel } from '#models/ai-sdk/providers.ts';
import { createModel } from '#models/create-model.ts';

export type ModelOnTrial = Pick<
  Parameters<typeof evaluate>[1],
  'model' | 'prices' | 'parallel' | 'timeout_ms'
>;

/** The offline model. */
export function offlineOnTrial(): ModelOnTrial {
  const { parallel, timeout_ms } = endpointDefaults;
  return { model: createModel('offline'), prices: builtInPrices, parallel, timeout_ms };
}

/** The model of the file at a path. Throws Error with one line when the file is wrong or a key is not set. */
export async function modelIn(path: string): Promise<ModelOnTrial> {
  try {
    return await onTrial(parseModelsFile(jsonIn(path)));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The first chat of a models file. Throws Error with the place of a key that is not set. */
async function onTrial({ chat: [first] }: ModelsFile): Promise<ModelOnTrial> {
  if (!first) throw new Error('chat: no endpoint');
  const { name, key_env, parallel, timeout_ms, price } = first;
  const key = key_env === undefined ? undefined : process.env[key_env];
  if (key_env !== undefined && !key) throw new Error(`chat.0.key_env: the variable ${key_env} is not set`);
  const keys = key_env === undefined ? {} : { [key_env]: key };
  const env = { MODEL_KEYS: JSON.stringify(keys) };
  const call = await languageModel({ ...first, key_names: Object.keys(keys) }, env);
  const model = { ...createModel('offline'), name, nameOf: () => name, call };
  return { model, prices: { [name]: price }, parallel, timeout_ms };
}

function jsonIn(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error('cannot be read');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('is no JSON');
  }
}
