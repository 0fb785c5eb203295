// The providers behind the AI SDK; loaded only when a setting names one.
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ModelSpec } from '#contract/models.ts';
import type { Model } from '#models/model.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { embedThrough } from './embedding-model.ts';
import { callThrough } from './language-model.ts';

type FetchFunction = typeof fetch;

export type ProviderSpec = Exclude<ModelSpec, { provider: 'offline' }>;

/** The key of an OpenAI-compatible endpoint, given directly or as a secret. Optional: local servers need none. */
export interface ProviderKey {
  MODEL_API_KEY?: string | undefined;
  MODEL_API_KEY_SECRET_ARN?: string | undefined;
}

/** Calls of the language model of a setting. */
export async function languageModel(spec: ProviderSpec, env: ProviderKey): Promise<Model['call']> {
  if (spec.provider === 'bedrock') return callThrough((fetch) => createAmazonBedrock({ fetch })(spec.model));
  const openai = await openaiOf(spec.base_url, env);
  return callThrough((fetch) => openai(fetch).chatModel(spec.model));
}

/** Embedding calls of the model of a setting. */
export async function embeddingModel(spec: ProviderSpec, env: ProviderKey): Promise<Model['embed']> {
  if (spec.provider === 'bedrock')
    return embedThrough((fetch) => createAmazonBedrock({ fetch }).embeddingModel(spec.model));
  const openai = await openaiOf(spec.base_url, env);
  return embedThrough((fetch) => openai(fetch).embeddingModel(spec.model));
}

/** The provider, made for each call: its `fetch` counts for that call alone. */
async function openaiOf(baseURL: string, env: ProviderKey) {
  const apiKey = env.MODEL_API_KEY || (await keyInSecret(env.MODEL_API_KEY_SECRET_ARN));
  return (fetch: FetchFunction) =>
    createOpenAICompatible({ name: 'openai', baseURL, apiKey, fetch, supportsStructuredOutputs: true });
}

async function keyInSecret(arn: string | undefined): Promise<string | undefined> {
  if (!arn) return undefined;
  const reply = await new SecretsManagerClient(clientSettings('secretsmanager')).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  return reply.SecretString || undefined;
}
