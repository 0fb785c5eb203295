// Adapts an AI SDK embedding model to `Model['embed']`.
import { type EmbeddingModel, embedMany } from 'ai';
import type { Attempt, Model } from '#models/model.ts';
import { meteredFetch } from './metered-fetch.ts';
import { modelErrorOf } from './model-error.ts';

/** Concurrent embedding calls. */
const EMBEDDING_CALLS = 8;

/** `embed` through a provider's embedding model, in as few calls as the provider allows. */
export function embedThrough(
  modelWith: (metered: typeof fetch) => Exclude<EmbeddingModel, string>,
): Model['embed'] {
  return async (texts: string[], { signal, ...counted }: Attempt): Promise<number[][]> => {
    const model = modelWith(meteredFetch(counted));
    const size = (await model.maxEmbeddingsPerCall) ?? texts.length;
    const chunks = Array.from({ length: Math.ceil(texts.length / Math.max(1, size)) }, (_, i) =>
      texts.slice(i * size, (i + 1) * size),
    );
    const vectors: number[][] = [];
    for (let i = 0; i < chunks.length; i += EMBEDDING_CALLS) {
      const wave = chunks.slice(i, i + EMBEDDING_CALLS);
      // All settle, so that every reply is counted before the call fails.
      const replies = await Promise.allSettled(
        wave.map((values) => embedMany({ model, values, maxRetries: 0, abortSignal: signal })),
      );
      for (const reply of replies) {
        if (reply.status === 'rejected') throw modelErrorOf(reply.reason, signal);
        vectors.push(...reply.value.embeddings);
      }
    }
    return vectors;
  };
}
