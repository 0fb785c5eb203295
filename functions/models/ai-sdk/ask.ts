// One question to a language model of the AI SDK, and what came of it.
import { generateText, type LanguageModel, type ModelMessage, Output, type SystemModelMessage } from 'ai';
import type { Endpoint } from '#models/endpoint.ts';
import { ModelError } from '#models/model.ts';
import type { AnswerSchema } from '#models/tasks/answer-schema.ts';
import type { Means } from './answer-form.ts';
import type { Wire } from './metered-fetch.ts';
import { timedOut } from './model-error.ts';
import { REQUEST } from './prompt.ts';
import { fitWords, wordsIn } from './provider-words.ts';

/** An endpoint whose limit of the output is known. */
export type ChatSettings = Pick<
  Endpoint,
  'name' | 'model' | 'base_url' | 'region' | 'parallel' | 'timeout_ms' | 'structured' | 'options'
> & { max_output_tokens: number };

/** A language model as calls use it. */
export interface Language {
  endpoint: ChatSettings;
  /** The key that is sent, never to be shown. */
  key: string | undefined;
  /** The model of the AI SDK, which asks for JSON by this means and sends by this `fetch`. */
  model(means: Means, fetch: typeof globalThis.fetch): LanguageModel;
  /** Settings of each call. */
  settings?: Omit<Parameters<typeof generateText>[0], 'model' | 'prompt' | 'messages'>;
  /** The means by which the provider makes its models follow a schema. */
  known?: Means[];
  /** Marks the end of a message up to which the provider caches prompts; absent: it caches by itself, or not at all. */
  cache_point?: ModelMessage['providerOptions'];
  /** Whether the words of a refusal ask for another form of the request, which it has from now on. */
  adapt?(words: string): boolean;
}

export interface QuestionMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface Question {
  instructions: string;
  messages: QuestionMessage[];
  means: Means;
  /** The form of the answer. */
  schema: AnswerSchema;
  signal: AbortSignal;
}

/** An answer: its text, why it ended, and what the provider said of it. */
export interface Answer {
  text: string;
  finish: 'stop' | 'length' | 'filtered' | 'other';
  provider: { status_code?: number; message: string };
}

/** The answer to a question; one that cannot be read has no text. Throws ModelError. */
export async function askOnce(language: Language, wire: Wire, question: Question): Promise<Answer> {
  const { instructions, messages, means, schema, signal } = question;
  try {
    const result = await generateText({
      ...language.settings,
      model: language.model(means, wire.fetch),
      ...withCachePoints(language, instructions, messages),
      output: outputBy(means, schema),
      maxOutputTokens: language.endpoint.max_output_tokens,
      maxRetries: 0,
      abortSignal: signal,
    });
    const { finishReason, rawFinishReason = finishReason } = result;
    const hasText = finishReason !== 'tool-calls' && result.text !== '';
    const isFiltered = finishReason === 'content-filter' || rawFinishReason === 'refusal';
    const finish = finishReason === 'stop' || finishReason === 'length' ? finishReason : 'other';
    // A refusal comes as text. What else a model wrote is its answer, not a word on it.
    const said = isFiltered && hasText ? result.text : `finish_reason ${rawFinishReason}`;
    return {
      text: hasText ? result.output : '',
      finish: isFiltered ? 'filtered' : finish,
      provider: { ...statusOf(wire), message: fitWords(said, language.key) },
    };
  } catch (error) {
    if (error instanceof ModelError) throw error;
    if (signal.aborted) throw timedOut();
    const arrived = wire.arrived();
    if (!arrived) throw notSent(error, language);
    const message = fitWords(wordsIn(arrived.text), language.key) || 'an empty reply';
    return { text: '', finish: 'other', provider: { ...statusOf(wire), message } };
  }
}

/** The instructions and the data of a task are the same in many calls: a provider may cache each up to its end. */
function withCachePoints(
  { cache_point }: Language,
  instructions: string,
  messages: QuestionMessage[],
): { instructions: string | SystemModelMessage; messages: ModelMessage[] } {
  const [first, ...others] = messages;
  const end = first?.content.indexOf(REQUEST) ?? -1;
  if (!cache_point || !first || end < 0) return { instructions, messages };
  return {
    instructions: { role: 'system', content: instructions, providerOptions: cache_point },
    messages: [
      { role: 'user', content: first.content.slice(0, end), providerOptions: cache_point },
      { role: 'user', content: first.content.slice(end) },
      ...others,
    ],
  };
}

function statusOf(wire: Wire): { status_code?: number } {
  const arrived = wire.arrived();
  return arrived ? { status_code: arrived.status } : {};
}

/** The means as an output of the AI SDK, whose own check of objects has no room for thoughts and fences. */
function outputBy(means: Means, schema: AnswerSchema): Output.Output<string, string, never> {
  const text = Output.text();
  if (means === 'prompt') return text;
  const form = means === 'json_schema' ? { name: 'answer', schema } : {};
  return { ...text, name: 'json', responseFormat: Promise.resolve({ type: 'json' as const, ...form }) };
}

/** A call that could not be sent: a setting of the provider is missing or wrong. */
function notSent(error: unknown, { endpoint, key }: Language): ModelError {
  const words = error instanceof Error ? error.message : 'unknown error';
  return new ModelError('The model could not be called', {
    ...{ cause: 'refused', model: endpoint.name },
    provider: { message: fitWords(words, key) },
  });
}
