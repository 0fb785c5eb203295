// The model port over the AI SDK: one prompt, one structured answer, at most one repair; every physical call's usage is reported.
import {
  type EmbeddingModel,
  embedMany,
  generateText,
  type LanguageModel,
  type ModelMessage,
  NoObjectGeneratedError,
  Output,
} from 'ai';
import { answerForms } from './answers.ts';
import {
  type Embeddings,
  type InputOf,
  type Model,
  ModelError,
  type ModelReply,
  type OutputOf,
  type TaskKind,
  type TokenUsage,
} from './model.ts';
import { promptFor } from './prompts.ts';
import { embeddingTokensOf, modelErrorOf, tokensOf } from './provider-facts.ts';

/** One physical call: the answer as an object, or the text that is none. */
interface Physical {
  answer: { object: unknown } | { text: string };
  usage: TokenUsage | null;
}

/** `call` of the model port through a provider's language model. The signal bounds the call and its repair together. */
export function callThrough(language: LanguageModel): Model['call'] {
  return async <K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    _context: unknown,
    signal: AbortSignal,
  ): Promise<ModelReply<OutputOf<K>>> => {
    const form = answerForms[task];
    const { instructions, prompt } = promptFor(task, input);
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
    const usages: (TokenUsage | null)[] = [];
    const request = () =>
      generateText({
        model: language,
        instructions,
        messages,
        output: Output.object({ schema: form.schema }),
        maxRetries: 0,
        abortSignal: signal,
      });
    const attempt = async () => {
      const { answer, usage } = await physical(request, signal, usages);
      usages.push(usage);
      if ('text' in answer)
        return { answer, judged: { ok: false as const, complaint: 'It is not the JSON asked for.' } };
      return { answer, judged: form.judge(answer.object, input) };
    };
    const first = await attempt();
    if (first.judged.ok) return { output: first.judged.output, usages };
    messages.push(...correction(first.answer, first.judged.complaint));
    const second = await attempt();
    if (second.judged.ok) return { output: second.judged.output, usages };
    throw new ModelError(
      `The model gave no usable answer: ${second.judged.complaint.slice(0, 300)}`,
      false,
      usages,
    );
  };
}

async function physical(
  request: () => Promise<{ output: unknown; usage: Parameters<typeof tokensOf>[0] }>,
  signal: AbortSignal,
  usages: (TokenUsage | null)[],
): Promise<Physical> {
  try {
    const reply = await request();
    return { answer: { object: reply.output }, usage: tokensOf(reply.usage) };
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error))
      return { answer: { text: error.text ?? '' }, usage: tokensOf(error.usage) };
    throw modelErrorOf(error, signal, usages);
  }
}

function correction(answer: Physical['answer'], complaint: string): ModelMessage[] {
  const said = 'text' in answer ? answer.text : JSON.stringify(answer.object);
  return [
    { role: 'assistant', content: said || '(empty)' },
    {
      role: 'user',
      content: `That answer cannot be used. ${complaint}\nAnswer again, in full, in the form asked for.`,
    },
  ];
}

/** How many embedding calls are under way at once. */
const EMBEDDING_CALLS = 8;

/** `embed` of the model port through a provider's embedding model; texts go out in as few calls as the provider takes. */
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
