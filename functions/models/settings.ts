// The endpoints of a stage: of its models file, or of the settings in the short form.
import { parseModelsFile } from '#contract/model-endpoints.ts';
import type { ModelTask } from '#contract/model-tasks.ts';
import { type ModelSpec, modelName, type PriceTable, parseModelSpec } from '#contract/models.ts';
import { unpackVariable } from '#contract/packed-variable.ts';
import { type Endpoint, endpointIn, endpointOf } from './endpoint.ts';
import { pricesFrom } from './pricing.ts';

/** The variables of the settings. */
export interface SettingEnv {
  /** `offline`, `bedrock:<model id>` or `openai:<model>@<base url>`; absent: no model is called. */
  MODEL?: string | undefined;
  /** Spelled like the model; absent or `offline`: the offline embedding, which calls no provider. */
  EMBEDDING_MODEL?: string | undefined;
  /** Prices by model name, as JSON. */
  PRICES?: string | undefined;
  /** A models file, packed, in place of the three. */
  MODELS?: string | undefined;
}

export interface ModelSettings {
  /** In the order of the file; none: the offline model. */
  chat: readonly Endpoint[];
  /** Which of them answers a task; the first, where none is named. */
  tasks: Partial<Record<ModelTask, string>>;
  /** Undefined: the offline embedding. */
  embedding: Endpoint | undefined;
  /** By the names of the endpoints. */
  prices: PriceTable;
}

/** The settings of the variables. Throws Error on a wrong one. */
export function settingsOf(env: SettingEnv): ModelSettings {
  if (env.MODELS) return settingsIn(env.MODELS);
  const chat = providerOf(env.MODEL);
  const embedding = providerOf(env.EMBEDDING_MODEL || undefined);
  return {
    chat: chat ? [endpointOf(chat, 'MODEL_API_KEY')] : [],
    tasks: {},
    embedding: embedding && endpointOf(embedding, 'EMBEDDING_API_KEY'),
    prices: pricesFrom(env.PRICES),
  };
}

function providerOf(setting: string | undefined): Exclude<ModelSpec, { provider: 'offline' }> | undefined {
  const spec = parseModelSpec(setting ?? 'offline');
  return spec.provider === 'offline' ? undefined : spec;
}

function settingsIn(packed: string): ModelSettings {
  const { chat, embedding, tasks = {} } = parseModelsFile(unpackVariable(packed));
  const all = [...chat, ...(embedding ? [embedding] : [])];
  return {
    chat: chat.map(endpointIn),
    tasks,
    embedding: embedding && endpointIn(embedding),
    prices: Object.fromEntries(all.map(({ name, price }) => [name, price])),
  };
}

/** What calls cost, and whose: as far as runs are created and shown. */
export interface ModelPricing {
  /** Every endpoint whose calls are counted; the first is the one that clients see. */
  names: readonly string[];
  prices: PriceTable;
}

/** The names and the prices of the settings. */
export function pricingOf({ chat, embedding, prices }: ModelSettings): ModelPricing {
  const [first, ...others] = chat;
  const counted = [...others, ...(embedding ? [embedding] : [])];
  return { names: [first?.name ?? OFFLINE, ...counted.map(({ name }) => name)], prices };
}

const OFFLINE = modelName({ provider: 'offline' });
