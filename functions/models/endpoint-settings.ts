// The endpoints of a stage: of its models file, or of the settings in the short form.
import { type ModelsFile, parseModelsFile } from '#contract/model-endpoints.ts';
import type { ModelTask } from '#contract/model-tasks.ts';
import {
  MODELS_IN_LIST,
  type ModelSpec,
  modelName,
  type PriceTable,
  parseModelList,
} from '#contract/models.ts';
import { unpackVariable } from '#contract/packed-variable.ts';
import { type Endpoint, endpointIn, endpointOf } from './endpoint.ts';
import { pricesFrom } from './pricing.ts';

/** The variables of the settings. */
export interface SettingEnv {
  /** `offline`, `bedrock:<model id>` or `openai:<model>@<base url>`; several have commas between; absent: none. */
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
  /** The names of those that answer in turn (rules.md: models 21). */
  list: readonly string[];
  /** Which of them is the first for a task. */
  tasks: Partial<Record<ModelTask, string>>;
  /** Undefined: the offline embedding. */
  embedding: Endpoint | undefined;
  /** By the names of the endpoints. */
  prices: PriceTable;
}

/** The settings of the variables. Throws Error on a wrong one. */
export function settingsOf(env: SettingEnv): ModelSettings {
  if (env.MODELS) return settingsIn(env.MODELS);
  const specs = providersOf(env.MODEL);
  const [embedding] = providersOf(env.EMBEDDING_MODEL || undefined);
  const keyed = originOf(specs.find(({ provider }) => provider === 'openai'));
  const chat = specs.map((spec) => endpointOf(spec, originOf(spec) === keyed ? 'MODEL_API_KEY' : undefined));
  return {
    chat,
    list: chat.map(({ name }) => name),
    tasks: {},
    embedding: embedding && endpointOf(embedding, 'EMBEDDING_API_KEY'),
    prices: pricesFrom(env.PRICES),
  };
}

type ProviderSpec = Exclude<ModelSpec, { provider: 'offline' }>;

function providersOf(setting: string | undefined): ProviderSpec[] {
  return parseModelList(setting ?? 'offline').flatMap((spec) => (spec.provider === 'offline' ? [] : [spec]));
}

/** Only the host of the first model with an address gets `MODEL_API_KEY` (rules.md: models 2). */
const originOf = (spec: ProviderSpec | undefined): string | undefined =>
  spec?.provider === 'openai' ? new URL(spec.base_url).origin : undefined;

function settingsIn(packed: string): ModelSettings {
  const { chat, embedding, tasks = {} } = parseModelsFile(unpackVariable(packed));
  const all = [...chat, ...(embedding ? [embedding] : [])];
  return {
    chat: chat.map(endpointIn),
    list: listIn({ chat, tasks }),
    tasks,
    embedding: embedding && endpointIn(embedding),
    prices: Object.fromEntries(all.map(({ name, price }) => [name, price])),
  };
}

/** The chats of a models file that answer in turn: the first, and those that are not there for their tasks alone. */
function listIn({ chat, tasks = {} }: Pick<ModelsFile, 'chat' | 'tasks'>): string[] {
  const forTasks = new Set(Object.values(tasks));
  const names = chat.map(({ name }) => name);
  return names.filter((name, i) => i === 0 || !forTasks.has(name)).slice(0, MODELS_IN_LIST);
}

/** What calls cost, and whose: as far as runs are created and shown. */
export interface ModelPricing {
  /** Every endpoint whose calls are counted. */
  names: readonly string[];
  prices: PriceTable;
}

/** With the models that answer in turn: clients see the first that is not away. */
export interface ListedPricing extends ModelPricing {
  list: readonly string[];
}

/** The names and the prices of the settings. */
export function pricingOf({ chat, list, embedding, prices }: ModelSettings): ListedPricing {
  const [first, ...others] = chat;
  const counted = [...others, ...(embedding ? [embedding] : [])];
  const answering = first?.name ?? OFFLINE;
  return {
    names: [answering, ...counted.map(({ name }) => name)],
    list: list.length > 0 ? list : [answering],
    prices,
  };
}

const OFFLINE = modelName({ provider: 'offline' });
