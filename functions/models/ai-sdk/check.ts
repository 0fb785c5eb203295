// One small call to an endpoint, and one more for each means of structured output that it refuses.
import { embedMany } from 'ai';
import type { EndpointCheck } from '#contract/endpoint-check.ts';
import { ModelError } from '#models/model.ts';
import type { AnswerSchema } from '#models/tasks/answer-schema.ts';
import type { Means } from './answer-form.ts';
import { type Answer, askOnce, type Language } from './ask.ts';
import type { Embedder } from './embedding-model.ts';
import { CHAT_BYTES, EMBEDDING_BYTES, meteredFetch } from './metered-fetch.ts';
import { structuredMeans } from './structured-means.ts';

/** What was seen of an endpoint. */
export type Seen = Omit<EndpointCheck, 'name' | 'context_tokens'>;

/** Enough for the answer; a model that thinks first is cut off, and answers all the same. */
const OUTPUT_TOKENS = 100;
const schema: AnswerSchema = {
  type: 'object',
  properties: { ready: { type: 'boolean' } },
  required: ['ready'],
  additionalProperties: false,
};
const question = {
  instructions: 'You are asked whether you are there.',
  messages: [{ role: 'user' as const, content: 'Say that you are ready.' }],
  schema,
};

/** What a chat endpoint does with a small question. */
export async function checkChat(language: Language, signal: AbortSignal): Promise<Seen> {
  const { endpoint, key } = language;
  const means = structuredMeans(endpoint.structured, language.known);
  const small = {
    ...language,
    endpoint: { ...endpoint, max_output_tokens: Math.min(endpoint.max_output_tokens, OUTPUT_TOKENS) },
  };
  const usages: unknown[] = [];
  const counted = { onReply: (usage: unknown) => void usages.push(usage) };
  const wire = meteredFetch({ model: endpoint.name, key }, counted, CHAT_BYTES);
  for (let by: Means = means.current(); ; ) {
    try {
      const answer = await askOnce(small, wire, { ...question, means: by, signal });
      return { ...seenIn(answer), structured: by, usage: isStated(usages) };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const { cause, provider } = error.fault;
      const next =
        cause === 'refused'
          ? language.adapt?.(provider?.message ?? '')
            ? by
            : means.afterRefusal(by, error.fault)
          : undefined;
      if (next === undefined)
        return { answers: false, ...(provider && { provider }), structured: by, usage: false };
      by = next;
    }
  }
}

const isStated = (usages: unknown[]) => usages.some((usage) => usage !== null);

function seenIn({ text, finish, provider }: Answer): Pick<Seen, 'answers' | 'provider'> {
  const answers = text !== '' || finish === 'length';
  return answers ? { answers } : { answers, provider };
}

/** What an embedding endpoint does with one word. */
export async function checkEmbedding(embedder: Embedder, signal: AbortSignal): Promise<Seen> {
  const { endpoint, key } = embedder;
  const usages: unknown[] = [];
  const counted = { onReply: (usage: unknown) => void usages.push(usage) };
  const wire = meteredFetch({ model: endpoint.name, key }, counted, EMBEDDING_BYTES);
  try {
    const model = embedder.model(wire.fetch);
    const { embeddings } = await embedMany({ model, values: ['ready'], maxRetries: 0, abortSignal: signal });
    return { answers: true, usage: isStated(usages), dimensions: embeddings[0]?.length ?? 0 };
  } catch (error) {
    const provider =
      error instanceof ModelError ? error.fault.provider : { message: 'the reply has no vectors' };
    return { answers: false, ...(provider && { provider }), usage: false };
  }
}
