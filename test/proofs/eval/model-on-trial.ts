// The model that the evaluation asks, its prices, and how many calls it takes at once.
import { readFileSync } from 'node:fs';
import { endpointDefaults, type ModelsFile, parseModelsFile } from '#contract/model-endpoints.ts';
import { packVariable } from '#contract/packed-variable.ts';
import { builtInPrices } from '#contract/prices.ts';
import type { evaluate } from '#domain/evaluation/evaluate.ts';
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
export function modelIn(path: string): ModelOnTrial {
  try {
    return onTrial(parseModelsFile(jsonIn(path)));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The models of a file, each for its tasks. Throws Error with the place of a key that is not set. */
function onTrial(file: ModelsFile): ModelOnTrial {
  const [first] = file.chat;
  if (!first) throw new Error('chat: no endpoint');
  const keys: Record<string, string> = {};
  for (const [i, { key_env }] of file.chat.entries()) {
    if (key_env === undefined) continue;
    const key = process.env[key_env];
    if (!key) throw new Error(`chat.${i}.key_env: the variable ${key_env} is not set`);
    keys[key_env] = key;
  }
  const model = createModel(undefined, { MODELS: packVariable(file), MODEL_KEYS: JSON.stringify(keys) });
  const prices = Object.fromEntries(file.chat.map(({ name, price }) => [name, price]));
  return { model, prices, parallel: first.parallel, timeout_ms: first.timeout_ms };
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
