// Reads what a reply of a provider is billed for, whatever names its tokens have there (rules.md: usage 10).
import * as z from 'zod';
import type { TokenUsage } from '#models/model.ts';

/** The usage in a reply, as parsed JSON; null when it has none that can be read. */
export function usageIn(reply: unknown): TokenUsage | null {
  return Reply.safeParse(reply).data ?? null;
}

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** A detail that is missing or unreadable counts as none: the totals decide whether a reply has a price. */
const Detail = Count.catch(0);

/** Tokens as they are billed: cached input within the input, reasoning within the output. */
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

/** Input from a cache, within the input. */
const CachedWithin = z.object({
  cached_tokens: Detail,
  cached_input_tokens: Detail,
  prompt_cache_hit_tokens: Detail,
  cached_content_token_count: Detail,
});
/** The names of Anthropic, who does not count such input in the input; many gateways do. */
const CachedApart = z.object({ cache_read_input_tokens: Detail, cache_read_tokens: Detail });
const WrittenApart = z.object({ cache_creation_input_tokens: Detail, cache_write_tokens: Detail });
const Reasoning = z.object({ reasoning_tokens: Detail, thinking_tokens: Detail });

const largest = (counts: object) => Math.max(0, ...Object.values(counts));
/** The largest of the counts that an object or one of its parts has under these names. */
const found = (names: z.ZodObject, ...parts: unknown[]) =>
  Math.max(...parts.map((part) => largest(names.safeParse(part).data ?? {})));

const Part = z.record(z.string(), z.unknown()).catch({});

/** A chat completion or embeddings of an OpenAI-compatible server; only embeddings report no output. */
const OpenAi = z
  .object({
    object: z.string().optional(),
    usage: z.looseObject({
      prompt_tokens: Count,
      completion_tokens: Count.optional(),
      total_tokens: Detail,
      prompt_tokens_details: Part,
      completion_tokens_details: Part,
    }),
  })
  .refine(({ object, usage }) => object === 'list' || usage.completion_tokens !== undefined)
  .transform(({ usage }) => {
    const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
    const cached = found(CachedApart, usage, input);
    return usageOf(
      billed({
        prompt: usage.prompt_tokens,
        completion: usage.completion_tokens ?? 0,
        total: usage.total_tokens,
        reasoning: found(Reasoning, usage, output),
        cached: Math.max(found(CachedWithin, usage, input), cached),
        named_apart: cached > 0,
        written: found(WrittenApart, usage, input),
      }),
    );
  });

interface Reported {
  prompt: number;
  completion: number;
  total: number;
  reasoning: number;
  cached: number;
  /** Whether the name of the cached input is one of input that is not in the input. */
  named_apart: boolean;
  /** Input that was written to a cache. */
  written: number;
}

/** What the total has beyond input and output is cached input that the input lacks, and else output. */
function billed({ prompt, completion, total, reasoning, cached, named_apart, written }: Reported): Tokens {
  const rest = Math.max(0, total - prompt - completion);
  const fromCache = cached + written;
  const isApart =
    cached > prompt ||
    (rest !== reasoning && (rest === fromCache || rest === fromCache + reasoning)) ||
    (rest !== reasoning && named_apart && rest > fromCache);
  const apart = isApart ? fromCache : 0;
  // Without a total, more reasoning than output cannot be part of it.
  const more = Math.max(0, rest - apart, total === 0 && reasoning > completion ? reasoning : 0);
  return {
    input: prompt + apart,
    cached,
    output: completion + more,
    reasoning: Math.max(reasoning, more),
  };
}

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

const Reply = z.union([OpenAi, Converse, TitanEmbedding, NovaEmbedding]);
