// Adapts an AI SDK language model to `Model['call']`: one prompt, one structured answer, asked for once more at most.
import { isJsonObject } from '#contract/json.ts';
import type { CallOutcomeName } from '#contract/model-outcomes.ts';
import { type Attempt, KeyRefused, type Model, ModelError } from '#models/model.ts';
import type { AnswerSchema } from '#models/tasks/answer-schema.ts';
import { type InputOf, type OutputOf, type TaskKind, tasks } from '#models/tasks/task-registry.ts';
import { cut } from '#platform/cut.ts';
import { asStorable } from '#platform/storable-json.ts';
import { formWords, type Means } from './answer-form.ts';
import { type Answer, askOnce, type Language, type Question, type QuestionMessage } from './ask.ts';
import { jsonInText } from './json-in-text.ts';
import { CHAT_BYTES, meteredFetch, type Wire } from './metered-fetch.ts';
import { timedOut } from './model-error.ts';
import { promptFor } from './prompt.ts';
import { createSlots } from './slots.ts';
import { type StructuredMeans, structuredMeans } from './structured-means.ts';

/** What the questions of one call share. */
interface Asking extends Pick<Attempt, 'onRepair' | 'onExchange'> {
  language: Language;
  means: StructuredMeans;
  wire: Wire;
  signal: AbortSignal;
}

/** Why an answer is of no use, in words that the model can act on; and by which means to ask again. */
interface Failed {
  ok: false;
  cause: 'cut_off' | 'filtered' | 'unusable';
  complaint: string;
  answer: Answer;
  next: Means;
}

type Judged<K extends TaskKind> = { ok: true; output: OutputOf<K> } | Failed;

/** `call` through a provider's language model. One time limit bounds the call and its repair. */
export function callThrough(language: Language): Model['call'] {
  const { endpoint, key } = language;
  const means = structuredMeans(endpoint.structured, language.known);
  const inSlot = createSlots(endpoint.parallel);
  return async (task, input, _context, { signal, begins, onRepair, onExchange, ...counted }) => {
    const work = async () => {
      await begins?.();
      const limit = AbortSignal.timeout(endpoint.timeout_ms);
      const wire = meteredFetch({ model: endpoint.name, key }, counted, CHAT_BYTES);
      const bounds = signal ? AbortSignal.any([signal, limit]) : limit;
      return outputOf({ language, means, wire, signal: bounds, onRepair, onExchange }, task, input);
    };
    return inSlot(work, signal).catch((error: unknown) => {
      throw error instanceof ModelError ? error : signal?.aborted ? timedOut() : error;
    });
  };
}

/** The output of a task. An answer that cannot be used is asked for once more. */
async function outputOf<K extends TaskKind>(
  asking: Asking,
  task: K,
  input: InputOf<K>,
): Promise<OutputOf<K>> {
  const first = await judgedAnswer(asking, task, input, {});
  if (first.ok) return first.output;
  asking.onRepair?.();
  const again = async (part: InputOf<K>, complained?: Failed) => {
    const repaired = await judgedAnswer(asking, task, part, { failed: first, complained }).catch(
      withoutNewKey,
    );
    if (repaired.ok) return repaired.output;
    throw unusableAnswer(repaired);
  };
  const halves = first.cause === 'cut_off' ? tasks[task].halved(input) : undefined;
  // Half of a text is asked for in words.
  if (!halves || halves.inputs.length === 1) return again(input, first);
  const outputs: OutputOf<K>[] = [];
  for (const half of halves.inputs) outputs.push(await again(half));
  return halves.joined(outputs);
}

/** The answer before, which was of no use; `complained`: the model is to know what was wrong with it. */
interface Before {
  failed?: Failed;
  complained?: Failed | undefined;
}

/** The answer to the question of a task, judged; by the first means that the endpoint takes. */
async function judgedAnswer<K extends TaskKind>(
  asking: Asking,
  task: K,
  input: InputOf<K>,
  { failed, complained }: Before,
): Promise<Judged<K>> {
  const { language, means, wire, signal } = asking;
  const { instructions, prompt } = promptFor(task, input);
  const messages = complained ? corrected(prompt, complained) : [user(prompt)];
  const schema = tasks[task].answerFor(input);
  let by = failed?.next ?? means.current();
  for (;;) {
    const question = {
      ...{ messages, schema, signal },
      means: by,
      instructions: `${instructions}\n\n${formWords(by, schema)}`,
    };
    const report = exchange(asking, question);
    try {
      const answer = await askOnce(language, wire, question);
      const judged = await judge(task, input, answer, { means, by });
      report(judged.ok ? (failed ? 'repaired' : 'answered') : judged.cause, answer.text);
      return judged;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      report(error.fault.cause);
      const next = nextMeans(asking, by, error);
      if (next === undefined) throw error;
      by = next;
    }
  }
}

/** By which means to ask again after an error; undefined: by none. */
function nextMeans({ language, means }: Asking, by: Means, { fault }: ModelError): Means | undefined {
  if (fault.cause !== 'refused') return undefined;
  return language.adapt?.(fault.provider?.message ?? '') ? by : means.afterRefusal(by, fault);
}

/** Begins a request; what it returns reports its end. */
function exchange({ language, wire, onExchange }: Asking, { instructions, messages }: Question) {
  const at = Date.now();
  return (outcome: CallOutcomeName, text?: string) => {
    const arrived = wire.arrived();
    onExchange?.({
      ...{ at, ms: Date.now() - at, model: language.endpoint.name, outcome },
      messages: [{ role: 'system', content: instructions }, ...messages],
      answer: text || (arrived?.text ?? null),
      usage: arrived?.usage ?? null,
    });
  };
}

/** What cannot be kept is as unusable as an answer of another shape. */
async function judge<K extends TaskKind>(
  task: K,
  input: InputOf<K>,
  answer: Answer,
  { means, by }: { means: StructuredMeans; by: Means },
): Promise<Judged<K>> {
  const object = jsonInText(answer.text);
  const kept = object && asStorable(object);
  const judged = kept?.ok ? await tasks[task].judge(kept.value, input) : undefined;
  if (judged?.ok) {
    means.took(by, true);
    return judged;
  }
  const { finish } = answer;
  const cause = finish === 'length' ? 'cut_off' : finish === 'filtered' ? 'filtered' : 'unusable';
  const complaint = judged?.complaint ?? (kept?.ok === false ? kept.fault : 'It is not the JSON asked for.');
  // From an answer that is not whole, or none, nothing follows for the means.
  const isWhole = cause === 'unusable' && answer.text !== '';
  const next = isWhole ? means.took(by, hasForm(object, tasks[task].answerFor(input))) : by;
  return { ok: false, cause, complaint, answer, next };
}

/** Whether an answer has the members asked for: a model that never saw the schema writes others. */
function hasForm(object: unknown, { properties = {} }: AnswerSchema): boolean {
  return isJsonObject(object) && Object.keys(properties).every((name) => Object.hasOwn(object, name));
}

const user = (content: string): QuestionMessage => ({ role: 'user', content });
/** More of an answer is not sent back to its model. */
const SENT_BACK_CHARACTERS = 20_000;

/** The question after an answer that was of no use. What it lacked is said where a model can mend it. */
function corrected(prompt: string, { cause, complaint, answer }: Failed): QuestionMessage[] {
  if (cause === 'cut_off')
    return [
      user(
        `${prompt}\n\nThe answer to this was cut off because it was too long. Answer in half as many words, in full.`,
      ),
    ];
  if (cause === 'filtered' || answer.text === '') return [user(prompt)];
  return [
    user(prompt),
    { role: 'assistant', content: cut(answer.text.toWellFormed(), SENT_BACK_CHARACTERS) },
    user(`That answer cannot be used. ${complaint}\nAnswer again, in full, in the form asked for.`),
  ];
}

const failures = {
  cut_off: 'The answer of the model was cut off: it is longer than the limit of the output.',
  filtered: 'The model refused to answer, or its answer was filtered.',
} as const;

function unusableAnswer({ cause, complaint, answer: { provider } }: Failed): ModelError {
  const message =
    cause === 'unusable' ? `The model gave no usable answer: ${complaint.slice(0, 300)}` : failures[cause];
  return new ModelError(message, { cause, provider });
}

/** A refused repair is final: with another key, the first call would be paid again. */
function withoutNewKey(error: unknown): never {
  throw error instanceof KeyRefused ? new ModelError(error.message, error.fault) : error;
}
