// The model of the settings: each task is answered by its endpoint (rules.md: models 1, local 6).
import { contextSize } from './context-size.ts';
import { createEmbedding } from './create-embedding.ts';
import type { Endpoint } from './endpoint.ts';
import type { KeyEnv } from './endpoint-keys.ts';
import { loaded } from './loaded.ts';
import type { Model } from './model.ts';
import { offlineLimits } from './offline/limits.ts';
import { pricingOf, type SettingEnv, settingsOf } from './settings.ts';
import { type TaskKind, taskNames } from './tasks/index.ts';

/** What choosing a model reads of the environment. */
export type ModelEnv = Omit<SettingEnv, 'MODEL'> & KeyEnv;

/** One endpoint, or the offline model. */
type Chat = Pick<Model, 'call' | 'limits' | 'parallel' | 'name'>;

/**
 * The model of a setting, or of the models file in its place. A provider is loaded on the first call that needs it.
 * Throws Error on an invalid setting.
 */
export function createModel(setting: string | undefined, env: ModelEnv = {}): Model {
  const settings = settingsOf({ ...env, MODEL: setting });
  const chats = settings.chat.map((endpoint) => chatOf(endpoint, env));
  const [first = offlineChat] = chats;
  const byTask = new Map(
    Object.entries(settings.tasks).flatMap(([task, named]) => {
      const chat = chats.find(({ name }) => name === named);
      return chat ? [[task, chat] as const] : [];
    }),
  );
  const chatFor = (kind: TaskKind) => byTask.get(taskNames[kind]) ?? first;
  const { names } = pricingOf(settings);
  return {
    name: first.name,
    names,
    nameOf: (kind) => chatFor(kind).name,
    parallel: (kind) => chatFor(kind).parallel(kind),
    limits: (kind) => chatFor(kind).limits(kind),
    call: (kind, ...rest) => chatFor(kind).call(kind, ...rest),
    ...createEmbedding(settings, env),
  };
}

/** The offline model is a separate file of a bundle: a stage with a provider's model never reads it. */
const offlineChat: Chat = {
  name: 'offline',
  parallel: () => Number.POSITIVE_INFINITY,
  limits: async () => offlineLimits,
  call: async (...input) => (await import('./offline/offline-model.ts')).offlineModel().call(...input),
};

function chatOf(endpoint: Endpoint, env: KeyEnv): Chat {
  const provider = loaded(async () => (await import('./ai-sdk/providers.ts')).connect(endpoint, env));
  const size = contextSize(endpoint, () => provider(({ stated }) => stated()));
  return {
    name: endpoint.name,
    parallel: () => endpoint.parallel,
    limits: size.limits,
    call: (kind, input, context, attempt) =>
      provider(({ call }) => call(kind, input, context, attempt)).catch(size.learn),
  };
}
