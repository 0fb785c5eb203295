// An endpoint as functions use it: of a models file, or of the short form of the settings.
import { type ChatEndpoint, type EmbeddingEndpoint, endpointDefaults } from '#contract/model-endpoints.ts';
import { type ModelSpec, modelName } from '#contract/models.ts';

/** A provider's endpoint. Prices are in the price table, by its name. */
export interface Endpoint extends Omit<ChatEndpoint, 'price' | 'key_env'> {
  /** The names of its key, the first that is set. No other endpoint's. */
  key_names: readonly string[];
  /** Of an embedding of a models file. */
  dimensions?: number;
}

/** The endpoint of a models file. */
export function endpointIn({ price: _, key_env, ...file }: ChatEndpoint | EmbeddingEndpoint): Endpoint {
  return { ...file, key_names: key_env === undefined ? [] : [key_env] };
}

type ProviderSpec = Exclude<ModelSpec, { provider: 'offline' }>;

/** The endpoint of a setting in the short form, whose key has this name; undefined: it has none. */
export function endpointOf(
  spec: ProviderSpec,
  key: 'MODEL_API_KEY' | 'EMBEDDING_API_KEY' | undefined,
): Endpoint {
  const { parallel, timeout_ms } = endpointDefaults;
  return { ...spec, name: modelName(spec), parallel, timeout_ms, key_names: key ? [key] : [] };
}
