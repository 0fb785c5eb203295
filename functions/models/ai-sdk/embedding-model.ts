// Adapts an AI SDK embedding model to `Model['embed']`.
import { type EmbeddingModel, embedMany } from 'ai';
import type { Embeddings, Model, TokenUsage } from '#models/model.ts';
import { modelErrorOf } from './model-error.ts';
import { embeddingTokensOf } from './token-usage.ts';

/** Concurrent embedding calls. */
const EMBEDDING_CALLS = 8;

/** `embed` through a provider's embedding model, in as few calls as the provider allows. */
export function embedThrough(model: Exclude<EmbeddingModel, string>): Model['embed'] {
  return async (texts: string[], signal: AbortSignal): Promise<Embeddings> => {
    const size = (await model.maxEmbeddingsPerCall) ?? texts.length;
    const chunks = Array.from({ length: Math.ceil(texts.length / Math.max(1, size)) }, (_, i) =>
      texts.slice(i * size, (i + 1) * size),
    );
    const vectors: number[][] = [];
    const usages: (TokenUsage | null)[] = [];
    for (let i = 0; i < chunks.length; i += EMBEDDING_CALLS) {
      const wave = chunks.slice(i, i + EMBEDDING_CALLS);
      const replies = await Promise.allSettled(
        wave.map((values) => embedMany({ model, values, maxRetries: 0, abortSignal: signal })),
      );
      const answered = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
      usages.push(...answered.map(({ usage }) => embeddingTokensOf(usage.tokens)));
      const failed = replies.find((reply) => reply.status === 'rejected');
      if (failed) throw modelErrorOf(failed.reason, signal, usages);
      vectors.push(...answered.flatMap(({ embeddings }) => embeddings));
    }
    return { vectors, usages };
  };
}
