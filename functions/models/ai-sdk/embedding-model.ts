// Adapts an AI SDK embedding model to `Model['embed']`.
import { type EmbeddingModel, embedMany } from 'ai';
import type { Endpoint } from '#models/endpoint.ts';
import { type Attempt, type Model, ModelError } from '#models/model.ts';
import { EMBEDDING_BYTES, meteredFetch, type Wire } from './metered-fetch.ts';
import { timedOut } from './model-error.ts';
import { fitWords } from './provider-words.ts';
import { createSlots } from './slots.ts';

/** An embedding model as calls use it. */
export interface Embedder {
  endpoint: Pick<Endpoint, 'name' | 'parallel' | 'timeout_ms'>;
  /** The key that is sent, never to be shown. */
  key: string | undefined;
  /** The model of the AI SDK, which sends by this `fetch`. */
  model(fetch: typeof globalThis.fetch): Exclude<EmbeddingModel, string>;
}

/** `embed` through a provider's embedding model, in as few calls as the provider allows. */
export function embedThrough({ endpoint, key, model: modelWith }: Embedder): Model['embed'] {
  const inSlot = createSlots(endpoint.parallel);
  return async (texts: string[], { signal, begins, ...counted }: Attempt): Promise<number[][]> => {
    const size = (await modelWith(fetch).maxEmbeddingsPerCall) ?? texts.length;
    const chunks = Array.from({ length: Math.ceil(texts.length / Math.max(1, size)) }, (_, i) =>
      texts.slice(i * size, (i + 1) * size),
    );
    const vectorsOf = async (values: string[]) => {
      await begins?.();
      const limit = AbortSignal.timeout(endpoint.timeout_ms);
      const abortSignal = signal ? AbortSignal.any([signal, limit]) : limit;
      const wire = meteredFetch({ model: endpoint.name, key }, counted, EMBEDDING_BYTES);
      const model = modelWith(wire.fetch);
      return embedMany({ model, values, maxRetries: 0, abortSignal }).catch((error: unknown) => {
        throw errorOf(error, { signal: abortSignal, wire, key });
      });
    };
    // All settle, so that every reply is counted before the call fails.
    const replies = await Promise.allSettled(chunks.map((values) => inSlot(() => vectorsOf(values), signal)));
    return replies.flatMap((reply) => {
      if (reply.status === 'fulfilled') return reply.value.embeddings;
      throw signal?.aborted && !(reply.reason instanceof ModelError) ? timedOut() : reply.reason;
    });
  };
}

function errorOf(
  error: unknown,
  { signal, wire, key }: { signal: AbortSignal; wire: Wire; key: string | undefined },
): ModelError {
  if (error instanceof ModelError) return error;
  if (signal.aborted) return timedOut();
  const words = error instanceof Error ? error.message : 'unknown error';
  const cause = wire.arrived() ? 'unusable' : 'refused';
  return new ModelError('The model made no vectors', { cause, provider: { message: fitWords(words, key) } });
}
