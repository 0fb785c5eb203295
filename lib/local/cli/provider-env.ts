// What the functions of the local service learn of models: the settings of the stage, and the keys of its endpoints.
import { isSimulated, modelName, parseModelList } from '../../../functions/contract/models.ts';
import type { StageSettings } from '../template/settings.ts';
import type { ModelFlags } from './flags.ts';

/** The settings of the stage. */
export function modelSettings({ models, model, embedding, prices }: ModelFlags): StageSettings {
  if (models) return { models };
  return { model, ...(embedding !== undefined && { embedding_model: embedding }), ...(prices && { prices }) };
}

/** The names of the endpoints, in the price table and in metrics. */
export function endpointsOf({ models, model, embedding = 'offline' }: ModelFlags): string[] {
  const embeddings = models
    ? models.embedding && [models.embedding.name]
    : parseModelList(embedding).map(modelName);
  const chats = models ? models.chat.map(({ name }) => name) : parseModelList(model).map(modelName);
  return [...new Set([...chats, ...(embeddings ?? []).filter((name) => !isSimulated(name))])];
}

/** Whether a provider is called at all. */
export const callsProviders = ({ models, model, embedding = 'offline' }: ModelFlags): boolean =>
  models !== undefined || model !== 'offline' || embedding !== 'offline';

const SHORT_FORM = ['MODEL_API_KEY', 'EMBEDDING_API_KEY'];
const ANYWHERE = ['AWS_BEARER_TOKEN_BEDROCK', 'OPENAI_API_KEY'];

/**
 * Variables for the functions, none without a provider. Each key goes on to its own endpoint alone (rules.md: models
 * 2); those that a models file names travel together, because their names may be those of other variables.
 */
export function providerEnv(flags: ModelFlags): Record<string, string> {
  const { models } = flags;
  if (!callsProviders(flags)) return {};
  const region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  const anywhere = { ...variables(ANYWHERE), ...(region && { BEDROCK_REGION: region }) };
  if (!models) return { ...anywhere, ...variables(SHORT_FORM) };
  const endpoints = [...models.chat, ...(models.embedding ? [models.embedding] : [])];
  const keys = variables(endpoints.flatMap(({ key_env }) => key_env ?? []));
  return { ...anywhere, MODEL_KEYS: JSON.stringify(keys) };
}

function variables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value] as const] : [];
    }),
  );
}
