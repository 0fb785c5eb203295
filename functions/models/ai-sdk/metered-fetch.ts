// Counts the replies of a provider where they come in, before the AI SDK reads them: it throws the usage away with
// every reply that it refuses.
import * as z from 'zod';
import type { Attempt, TokenUsage } from '#models/model.ts';

/**
 * A `fetch` that hands the usage of each reply to `onReply`. An error reply of the provider (4xx, 5xx) is no reply; one
 * whose body breaks off or is no JSON has no usage. With `late`, a request goes on after the signal of its caller.
 */
export function meteredFetch({ onReply, late }: Omit<Attempt, 'signal'>): typeof fetch {
  const metered = counting(onReply);
  if (!late) return metered;
  return async (input, init) => {
    const { signal = null, ...rest } = init ?? {};
    signal?.throwIfAborted();
    const reply = metered(input, { ...rest, signal: late.signal });
    late.onRequest(reply);
    return signal ? unlessAborted(reply, signal) : reply;
  };
}

/** The result of work, or the reason of the signal if that comes first. The work goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

function counting(onReply: Attempt['onReply']): typeof fetch {
  return async (input, init) => {
    // A key goes to its endpoint alone: no redirect is followed (rules.md: models 2).
    const reply = await fetch(input, { ...init, redirect: 'manual' });
    if (!reply.ok) return reply;
    const text = await reply.text().catch((error: unknown) => {
      onReply(null);
      throw error;
    });
    onReply(usageIn(text));
    return new Response(text, { status: reply.status, headers: reply.headers });
  };
}

function usageIn(text: string): TokenUsage | null {
  try {
    return Reported.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** A detail that is missing or unreadable counts as none: the totals decide whether a reply has a price. */
const Detail = Count.catch(0);

/** Tokens as a provider reports them: cached input within the input, reasoning within the output. */
interface Tokens {
  input: number;
  cached?: number;
  output?: number;
  reasoning?: number;
}

/** Reasoning is subtracted from the output, because it is billed on top of it. */
function usageOf({ input, cached = 0, output = 0, reasoning = 0 }: Tokens): TokenUsage | null {
  if (input === 0) return null;
  const thinking_tokens = Math.min(reasoning, output);
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(cached, input),
    output_tokens: output - thinking_tokens,
    thinking_tokens,
  };
}

/** A chat completion or embeddings of an OpenAI-compatible server; only embeddings report no output. */
const OpenAi = z
  .object({
    object: z.string().optional(),
    usage: z.object({
      prompt_tokens: Count,
      completion_tokens: Count.optional(),
      prompt_tokens_details: z.object({ cached_tokens: Detail }).catch({ cached_tokens: 0 }),
      completion_tokens_details: z.object({ reasoning_tokens: Detail }).catch({ reasoning_tokens: 0 }),
    }),
  })
  .refine(({ object, usage }) => object === 'list' || usage.completion_tokens !== undefined)
  .transform(({ usage }) =>
    usageOf({
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details.cached_tokens,
      output: usage.completion_tokens ?? 0,
      reasoning: usage.completion_tokens_details.reasoning_tokens,
    }),
  );

/** Bedrock's Converse counts cache reads and writes apart from the input. */
const Converse = z
  .object({
    usage: z.object({
      inputTokens: Count,
      outputTokens: Count,
      cacheReadInputTokens: Detail,
      cacheWriteInputTokens: Detail,
    }),
  })
  .transform(({ usage }) =>
    usageOf({
      input: usage.inputTokens + usage.cacheReadInputTokens + usage.cacheWriteInputTokens,
      cached: usage.cacheReadInputTokens,
      output: usage.outputTokens,
    }),
  );

const TitanEmbedding = z
  .object({ inputTextTokenCount: Count })
  .transform(({ inputTextTokenCount }) => usageOf({ input: inputTextTokenCount }));
const NovaEmbedding = z
  .object({ inputTokenCount: Count })
  .transform(({ inputTokenCount }) => usageOf({ input: inputTokenCount }));

const Reported = z.union([OpenAi, Converse, TitanEmbedding, NovaEmbedding]);
