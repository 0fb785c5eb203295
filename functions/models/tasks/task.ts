// The definition of a model task, and how records are shown to it.
import * as z from 'zod';
import type { JsonObject } from '#contract/json.ts';
import type { MentionedValue, Outline } from '#contract/record-queries.ts';
import { AnswerSchema } from './answer-schema.ts';

/** One record, note, artifact or passage as shown to a model. */
export interface ModelItem {
  id: string;
  /** Entity type, or `note`, `relationship`, `artifact`, `text`. */
  type: string;
  name: string;
  fields: JsonObject;
}

/** What a model is shown of a workspace for one query. */
export interface KnownWorkspace {
  shape: Outline;
  values: MentionedValue[];
  /** Records whose full names occur in the query. */
  candidates: ModelItem[];
  /** The day on which it is asked, as YYYY-MM-DD: what "last month" counts from. */
  today: string;
}

/** A usable output, or what is wrong with the answer, in words that the model can act on. */
type Judged<Output> = { ok: true; output: Output } | { ok: false; complaint: string };

export interface Task<Input, Output> {
  /** The instructions; identical for every call. */
  prompt: string;
  /** The input fields that are the caller's request; all others are data. */
  request: readonly (keyof Input)[];
  /** The schema of the answer to an input. */
  answerFor(input: Input): AnswerSchema;
  /** Checks an answer, also against the input, and converts it to the output. */
  judge(answer: unknown, input: Input): Promise<Judged<Output>>;
  /** The input in two parts, for an answer that would be too long; undefined when it cannot be divided. */
  halves?(input: Input): Halves<Input, Output> | undefined;
}

interface Halves<Input, Output> {
  parts: readonly [Input, Input];
  /** The output of the whole, from those of the parts. */
  joined(left: Output, right: Output): Output;
}

/** `judge` gets an answer of the right shape; it returns the output, or a complaint as text. */
export function defineTask<Input, Output, Answer extends z.ZodObject>(task: {
  prompt: string;
  request: readonly (keyof Input)[];
  answer: Answer;
  judge: (answer: z.infer<Answer>, input: Input) => Output | string | Promise<Output | string>;
  halves?: Task<Input, Output>['halves'];
}): Task<Input, Output> {
  const { answer: form, ...rest } = task;
  const schema = AnswerSchema.parse(z.toJSONSchema(form));
  return {
    ...rest,
    answerFor: () => schema,
    async judge(answer, input) {
      const parsed = form.safeParse(answer);
      if (!parsed.success) return { ok: false, complaint: z.prettifyError(parsed.error) };
      const output = await task.judge(parsed.data, input);
      return typeof output === 'string' ? { ok: false, complaint: output } : { ok: true, output };
    },
  };
}

export const Score = z.number().min(0).max(1);
export const Text = z.string().min(1);

/** Part of the prompt of every task that writes markdown. */
export const LINKS =
  'Write markdown. Refer to a record as [name](entity=ID) with its id from the data, to a note as [name](note=ID), to an artifact as [name](artifact=ID).';
