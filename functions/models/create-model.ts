// The model of the settings: each task is answered by its endpoints, in their order (rules.md: models 12, models 21).
import { contextSize } from './context-size.ts';
import { createEmbedding } from './create-embedding.ts';
import type { Endpoint } from './endpoint.ts';
import type { KeyEnv } from './endpoint-keys.ts';
import { pricingOf, type SettingEnv, settingsOf } from './endpoint-settings.ts';
import { loaded } from './loaded.ts';
import type { Model, ModelLimits } from './model.ts';
import { offlineLimits } from './offline/limits.ts';
import { promptBytes } from './prompt-bytes.ts';
import { type TaskKind, taskNames } from './tasks/task-registry.ts';

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
  const byName = new Map(chats.map((chat) => [chat.name, chat]));
  const namesFor = (kind: TaskKind) => {
    const own = settings.tasks[taskNames[kind]];
    return [...new Set([...(own === undefined ? [] : [own]), ...settings.list])];
  };
  const chatsFor = (kind: TaskKind) => {
    const named = namesFor(kind).flatMap((name) => byName.get(name) ?? []);
    return named.length > 0 ? named : [first];
  };
  const { names } = pricingOf(settings);
  return {
    name: first.name,
    names,
    namesFor: (kind) => chatsFor(kind).map(({ name }) => name),
    parallel: (kind) => (chatsFor(kind)[0] ?? first).parallel(kind),
    limits: async (kind) => smallest(await Promise.all(chatsFor(kind).map((chat) => chat.limits(kind)))),
    call: (kind, input, context, attempt) => {
      const [firstFor = first] = chatsFor(kind);
      const chat = byName.get(context.endpoint ?? '') ?? firstFor;
      return chat.call(kind, input, context, attempt);
    },
    ...createEmbedding(settings, env),
  };
}

/** The limits that all endpoints have room for: another one may answer the next call of a step. */
function smallest(all: ModelLimits[]): ModelLimits {
  return all.reduce((least, one) => (promptBytes(one) < promptBytes(least) ? one : least));
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
