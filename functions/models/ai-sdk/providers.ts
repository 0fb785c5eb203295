// The providers behind the AI SDK; loaded only when a setting names one.
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { isJsonObject, type JsonObject } from '#contract/json.ts';
import type { Endpoint } from '#models/endpoint.ts';
import { type KeyEnv, keyOf } from '#models/endpoint-keys.ts';
import { limitsOf } from '#models/endpoint-limits.ts';
import type { Model } from '#models/model.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { optionalEnv } from '#platform/env.ts';
import type { ChatSettings, Language } from './ask.ts';
import { checkChat, checkEmbedding, type Seen } from './check.ts';
import { type Embedder, embedThrough } from './embedding-model.ts';
import { callThrough } from './language-model.ts';
import { statedContext } from './stated-context.ts';

type Fetch = typeof fetch;

/** A chat endpoint, with its key read. */
export interface Connected {
  call: Model['call'];
  /** The context that it tells; undefined: it does not, or not now. */
  stated(): Promise<number | undefined>;
}

/** Connects to a chat endpoint. */
export async function connect(endpoint: Endpoint, env: KeyEnv): Promise<Connected> {
  const key = await keyFor(endpoint, env);
  const ask = () => contextOf(endpoint, key);
  let stated = await ask();
  const { max_output_tokens } = limitsOf(endpoint, stated);
  return {
    call: callThrough(languageOf({ ...endpoint, max_output_tokens }, key, env)),
    async stated() {
      stated ??= await ask();
      return stated;
    },
  };
}

const keyFor = async (endpoint: Endpoint, env: KeyEnv): Promise<string | undefined> =>
  endpoint.provider === 'bedrock' ? bearer() : keyOf(endpoint, env, secretText);

const languageOf = (endpoint: Endpoint & ChatSettings, key: string | undefined, env: KeyEnv): Language =>
  endpoint.provider === 'bedrock' ? onBedrock(endpoint, env) : onOpenAi(endpoint, key);

/** What the endpoint's list of models says, where no setting does. */
async function contextOf(endpoint: Endpoint, key: string | undefined): Promise<number | undefined> {
  if (endpoint.provider === 'bedrock' || endpoint.context_tokens !== undefined) return undefined;
  return statedContext(endpoint, key).catch(() => undefined);
}

/** Embedding calls of the model of an endpoint. */
export async function embeddingModel(endpoint: Endpoint, env: KeyEnv): Promise<Model['embed']> {
  return embedThrough(await embedderOf(endpoint, env));
}

async function embedderOf(endpoint: Endpoint, env: KeyEnv): Promise<Embedder> {
  const key = await keyFor(endpoint, env);
  const { model } = endpoint;
  return {
    ...{ endpoint, key },
    model: (fetch) =>
      endpoint.provider === 'bedrock'
        ? bedrock(endpoint, env, fetch).embeddingModel(model)
        : openAi(endpoint, key, { fetch: withOptions(endpoint, fetch) }).embeddingModel(model),
  };
}

/** What an endpoint does with a small question, and the context that it tells. */
export async function checkEndpoint(
  kind: 'chat' | 'embedding',
  endpoint: Endpoint,
  env: KeyEnv,
  signal: AbortSignal,
): Promise<Seen & { stated: number | undefined }> {
  const key = await keyFor(endpoint, env);
  const stated = await contextOf(endpoint, key);
  if (kind === 'embedding')
    return { ...(await checkEmbedding(await embedderOf(endpoint, env), signal)), stated };
  const { max_output_tokens } = limitsOf(endpoint, stated);
  return { ...(await checkChat(languageOf({ ...endpoint, max_output_tokens }, key, env), signal)), stated };
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

/** The client of embeddings cannot be given members of its bodies. */
function withOptions({ options }: Pick<Endpoint, 'options'>, fetch: Fetch): Fetch {
  if (!options) return fetch;
  return (input, init) => {
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    return fetch(
      input,
      isJsonObject(body) ? { ...init, body: JSON.stringify({ ...options, ...body }) } : init,
    );
  };
}

/** The options that Converse has names for; others go to the model as they are. */
const ConverseOptions = z.looseObject({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
});

/** The families on Bedrock that cache prompts up to marked points; others refuse the mark. */
const CACHING = /\b(?:anthropic\.claude|amazon\.nova)/;
const CACHE_POINT = { amazonBedrock: { cachePoint: { type: 'default' } } };

function onBedrock(endpoint: ChatSettings, env: KeyEnv): Language {
  const { temperature, top_p, ...fields } = ConverseOptions.parse(endpoint.options ?? {});
  return {
    ...{ endpoint, key: bearer() },
    // As the input of a tool.
    known: ['json_schema'],
    model: (_means, fetch) => bedrock(endpoint, env, fetch)(endpoint.model),
    ...(CACHING.test(endpoint.model) && { cache_point: CACHE_POINT }),
    settings: {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { topP: top_p }),
      ...(Object.keys(fields).length > 0 && {
        providerOptions: { amazonBedrock: { additionalModelRequestFields: fields as JsonObject } },
      }),
    },
  };
}

function bedrock(endpoint: Pick<Endpoint, 'region'>, { BEDROCK_REGION }: KeyEnv, fetch: Fetch) {
  const region = endpoint.region ?? BEDROCK_REGION;
  return createAmazonBedrock({ fetch, ...(region !== undefined && { region }) });
}

/** The key that the AWS SDK would send to Bedrock. */
const bearer = () => optionalEnv('AWS_BEARER_TOKEN_BEDROCK');
