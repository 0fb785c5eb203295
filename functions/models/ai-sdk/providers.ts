// The providers behind the AI SDK; loaded only when a setting names one.
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import type { Endpoint } from '#models/endpoint.ts';
import { type KeyEnv, keyOf } from '#models/endpoint-keys.ts';
import { limitsOf } from '#models/endpoint-limits.ts';
import type { Model } from '#models/model.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { optionalEnv } from '#platform/env.ts';
import type { ChatSettings, Language } from './ask.ts';
import { embedThrough } from './embedding-model.ts';
import { callThrough } from './language-model.ts';

type Fetch = typeof fetch;

/** Calls of the language model of an endpoint. */
export async function languageModel(endpoint: Endpoint, env: KeyEnv): Promise<Model['call']> {
  const { max_output_tokens } = limitsOf(endpoint, undefined);
  const settings = { ...endpoint, max_output_tokens };
  if (endpoint.provider === 'bedrock') return callThrough(onBedrock(settings));
  return callThrough(onOpenAi(settings, await keyOf(endpoint, env, secretText)));
}

/** Embedding calls of the model of an endpoint. */
export async function embeddingModel(endpoint: Endpoint, env: KeyEnv): Promise<Model['embed']> {
  const { provider, model } = endpoint;
  if (provider === 'bedrock')
    return embedThrough({
      ...{ endpoint, key: bearer() },
      model: (fetch) => bedrock(endpoint, fetch).embeddingModel(model),
    });
  const key = await keyOf(endpoint, env, secretText);
  return embedThrough({
    ...{ endpoint, key },
    model: (fetch) => openAi(endpoint, key, { fetch }).embeddingModel(model),
  });
}

async function secretText(arn: string): Promise<string | undefined> {
  const reply = await new SecretsManagerClient(clientSettings('secretsmanager')).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  return reply.SecretString || undefined;
}

function onOpenAi(endpoint: ChatSettings, key: string | undefined): Language {
  // Newer models of OpenAI know the limit of the output by another name alone.
  let limit: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';
  const transformRequestBody = ({ max_tokens, ...body }: Record<string, unknown>) => ({
    ...endpoint.options,
    // What the service does not send is left to the options.
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    [limit]: max_tokens,
  });
  return {
    ...{ endpoint, key },
    model: (means, fetch) =>
      openAi(endpoint, key, {
        fetch,
        supportsStructuredOutputs: means === 'json_schema',
        transformRequestBody,
      }).chatModel(endpoint.model),
    adapt(words) {
      if (limit !== 'max_tokens' || !words.includes('max_completion_tokens')) return false;
      limit = 'max_completion_tokens';
      return true;
    },
  };
}

const openAi = (
  { base_url }: Pick<Endpoint, 'base_url'>,
  apiKey: string | undefined,
  settings: Partial<Parameters<typeof createOpenAICompatible>[0]>,
) =>
  createOpenAICompatible({
    ...settings,
    ...{ name: 'openai', baseURL: base_url ?? '' },
    ...(apiKey !== undefined && { apiKey }),
  });

/** The options that Converse has names for; others go to the model as they are. */
const ConverseOptions = z.looseObject({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
});

function onBedrock(endpoint: ChatSettings): Language {
  const { temperature, top_p, ...fields } = ConverseOptions.parse(endpoint.options ?? {});
  return {
    ...{ endpoint, key: bearer() },
    // As the input of a tool.
    known: ['json_schema'],
    model: (_means, fetch) => bedrock(endpoint, fetch)(endpoint.model),
    settings: {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { topP: top_p }),
      ...(Object.keys(fields).length > 0 && {
        providerOptions: { amazonBedrock: { additionalModelRequestFields: fields as JsonObject } },
      }),
    },
  };
}

const bedrock = ({ region }: Pick<Endpoint, 'region'>, fetch: Fetch) =>
  createAmazonBedrock({ fetch, ...(region !== undefined && { region }) });

/** The key that the AWS SDK would send to Bedrock. */
const bearer = () => optionalEnv('AWS_BEARER_TOKEN_BEDROCK');
