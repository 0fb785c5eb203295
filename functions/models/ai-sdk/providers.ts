// The providers behind the AI SDK; loaded only when a setting names one.
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Endpoint } from '#models/endpoint.ts';
import { type KeyEnv, keyOf } from '#models/endpoint-keys.ts';
import type { Model } from '#models/model.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { embedThrough } from './embedding-model.ts';
import { callThrough } from './language-model.ts';

type FetchFunction = typeof fetch;

/** Calls of the language model of an endpoint. */
export async function languageModel(endpoint: Endpoint, env: KeyEnv): Promise<Model['call']> {
  const { provider, model } = endpoint;
  if (provider === 'bedrock') return callThrough((fetch) => bedrock(endpoint, fetch)(model));
  const openai = await openaiOf(endpoint, env);
  return callThrough((fetch) => openai(fetch).chatModel(model));
}

/** Embedding calls of the model of an endpoint. */
export async function embeddingModel(endpoint: Endpoint, env: KeyEnv): Promise<Model['embed']> {
  const { provider, model } = endpoint;
  if (provider === 'bedrock') return embedThrough((fetch) => bedrock(endpoint, fetch).embeddingModel(model));
  const openai = await openaiOf(endpoint, env);
  return embedThrough((fetch) => openai(fetch).embeddingModel(model));
}

const bedrock = ({ region }: Endpoint, fetch: FetchFunction) =>
  createAmazonBedrock({ fetch, ...(region !== undefined && { region }) });

/** The provider, made for each call: its `fetch` counts for that call alone. */
async function openaiOf(endpoint: Endpoint, env: KeyEnv) {
  const apiKey = await keyOf(endpoint, env, secretText);
  const baseURL = endpoint.base_url ?? '';
  return (fetch: FetchFunction) =>
    createOpenAICompatible({
      name: 'openai',
      baseURL,
      ...(apiKey !== undefined && { apiKey }),
      fetch,
      supportsStructuredOutputs: true,
    });
}

async function secretText(arn: string): Promise<string | undefined> {
  const reply = await new SecretsManagerClient(clientSettings('secretsmanager')).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  return reply.SecretString || undefined;
}
