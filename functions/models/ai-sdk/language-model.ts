// Adapts an AI SDK language model to `Model['call']`: one prompt, one structured answer, at most one repair.
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
} from 'ai';
import { type Attempt, KeyRefused, type Model, ModelError } from '#models/model.ts';
import { type InputOf, type OutputOf, type TaskKind, tasks } from '#models/tasks/index.ts';
import { keepable } from '#platform/keepable.ts';
import { meteredFetch } from './metered-fetch.ts';
import { modelErrorOf } from './model-error.ts';
import { promptFor } from './prompt.ts';

/** An answer: its text, and the object in it unless the text is not JSON. */
interface Answer {
  text: string;
  object?: unknown;
}

type Judged<K extends TaskKind> = { ok: true; output: OutputOf<K> } | { ok: false; complaint: string };

/** `call` through a provider's language model. One signal bounds the call and its repair. */
export function callThrough(languageWith: (metered: typeof fetch) => LanguageModel): Model['call'] {
  return async <K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    _context: unknown,
    { signal, ...counted }: Attempt,
  ): Promise<OutputOf<K>> => {
    const model = languageWith(meteredFetch(counted));
    const { instructions, prompt } = promptFor(task, input);
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
    const output = Output.object({ schema: jsonSchema(tasks[task].answerFor(input)) });
    const ask = () =>
      answerOf(
        () => generateText({ model, instructions, messages, output, maxRetries: 0, abortSignal: signal }),
        signal,
      );
    const first = await ask();
    const judged = await judge(task, first, input);
    if (judged.ok) return judged.output;
    messages.push(...correction(first, judged.complaint));
    const repaired = await judge(task, await ask().catch(withoutNewKey), input);
    if (repaired.ok) return repaired.output;
    throw new ModelError(`The model gave no usable answer: ${repaired.complaint.slice(0, 300)}`, false, true);
  };
}

/** What cannot be kept is as unusable as an answer of another shape. */
async function judge<K extends TaskKind>(task: K, answer: Answer, input: InputOf<K>): Promise<Judged<K>> {
  if (!('object' in answer)) return { ok: false, complaint: 'It is not the JSON asked for.' };
  const kept = keepable(answer.object);
  return kept.ok ? tasks[task].judge(kept.value, input) : { ok: false, complaint: kept.fault };
}

/** A refused repair is final: with another key, the first call would be paid again. */
function withoutNewKey(error: unknown): never {
  throw error instanceof KeyRefused ? new ModelError(error.message, false) : error;
}

async function answerOf(request: () => Promise<{ output: unknown }>, signal: AbortSignal): Promise<Answer> {
  try {
    const { output } = await request();
    return { text: JSON.stringify(output), object: output };
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error)) return parsed(error.text ?? '');
    // An answer that was cut off, or a call of a tool that was not offered.
    if (NoOutputGeneratedError.isInstance(error)) return { text: '' };
    throw modelErrorOf(error, signal);
  }
}

/** JSON of another shape is still returned, so that the complaint can name the fault. */
function parsed(text: string): Answer {
  try {
    return { text, object: JSON.parse(text) };
  } catch {
    return { text };
  }
}

function correction({ text }: Answer, complaint: string): ModelMessage[] {
  return [
    { role: 'assistant', content: text.toWellFormed() || '(empty)' },
    {
      role: 'user',
      content: `That answer cannot be used. ${complaint}\nAnswer again, in full, in the form asked for.`,
    },
  ];
}
