// Adapts an AI SDK language model to `Model['call']`: one prompt, one structured answer, at most one repair.
import { generateText, type LanguageModel, type ModelMessage, NoObjectGeneratedError, Output } from 'ai';
import { type Model, ModelError, type ModelReply, type TokenUsage } from '#models/model.ts';
import { type InputOf, type OutputOf, type TaskKind, tasks } from '#models/tasks/index.ts';
import { modelErrorOf } from './model-error.ts';
import { promptFor } from './prompt.ts';
import { tokensOf } from './token-usage.ts';

/** One physical call: the answer as an object, or text that is not JSON. */
interface Physical {
  answer: { object: unknown } | { text: string };
  usage: TokenUsage | null;
}

/** `call` through a provider's language model. One signal bounds the call and its repair. */
export function callThrough(language: LanguageModel): Model['call'] {
  return async <K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    _context: unknown,
    signal: AbortSignal,
  ): Promise<ModelReply<OutputOf<K>>> => {
    const { instructions, prompt } = promptFor(task, input);
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
    const usages: (TokenUsage | null)[] = [];
    const request = () =>
      generateText({
        model: language,
        instructions,
        messages,
        output: Output.object({ schema: tasks[task].answer }),
        maxRetries: 0,
        abortSignal: signal,
      });
    const attempt = async () => {
      const { answer, usage } = await physical(request, signal, usages);
      usages.push(usage);
      if ('text' in answer)
        return { answer, judged: { ok: false as const, complaint: 'It is not the JSON asked for.' } };
      return { answer, judged: tasks[task].judge(answer.object, input) };
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
      return { answer: answerIn(error.text ?? ''), usage: tokensOf(error.usage) };
    throw modelErrorOf(error, signal, usages);
  }
}

/** JSON of another shape is still returned, so that the complaint can name the fault. */
function answerIn(text: string): Physical['answer'] {
  try {
    return { object: JSON.parse(text) };
  } catch {
    return { text };
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
