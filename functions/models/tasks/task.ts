// What a task of a model is, and how records are shown to it.
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import type { MentionedValue, Outline } from '#contract/record-queries.ts';

/** One record, note, artifact or passage as a model is shown it. */
export interface ModelItem {
  id: string;
  /** Entity type, or `note`, `relationship`, `artifact`, `text`. */
  type: string;
  name: string;
  fields: JsonObject;
}

/** What a model gets to know of a workspace for one query. */
export interface KnownWorkspace {
  shape: Outline;
  values: MentionedValue[];
  /** Records whose whole names occur in the query. */
  candidates: ModelItem[];
}

/** An output that can be used, or what is wrong with the answer, in words that the model can act on. */
type Judged<Output> = { ok: true; output: Output } | { ok: false; complaint: string };

export interface Task<Input, Output> {
  /** What the model is told to do; the same for every call. */
  prompt: string;
  /** Which fields of the input are the caller's request; all others are data. */
  request: readonly (keyof Input)[];
  /** The form of the answer: flat, every property required, which strict structured output of any provider can take. */
  answer: z.ZodObject;
  /** Checks an answer, also against the input, and turns it into the output. */
  judge(answer: unknown, input: Input): Judged<Output>;
}

/** `judge` is given an answer of the right form; it returns the output, or a complaint as text. */
export function defineTask<Input, Output, Answer extends z.ZodObject>(task: {
  prompt: string;
  request: readonly (keyof Input)[];
  answer: Answer;
  judge: (answer: z.infer<Answer>, input: Input) => Output | string;
}): Task<Input, Output> {
  return {
    ...task,
    judge(answer, input) {
      const parsed = task.answer.safeParse(answer);
      if (!parsed.success) return { ok: false, complaint: z.prettifyError(parsed.error) };
      const output = task.judge(parsed.data, input);
      return typeof output === 'string' ? { ok: false, complaint: output } : { ok: true, output };
    },
  };
}

export const Score = z.number().min(0).max(1);
export const Text = z.string().min(1);

/** Part of the prompt of every task that writes markdown. */
export const LINKS =
  'Write markdown. Refer to a record as [name](entity=ID) with its id from the data, to a note as [name](note=ID), to an artifact as [name](artifact=ID).';
