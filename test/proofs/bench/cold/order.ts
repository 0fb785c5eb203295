// What an environment of the bench is ordered to do, and what it prints when it has done so.
import * as z from 'zod';
import { Head } from '#store/records/record-heads.ts';
import { questionNames } from './questions.ts';

/** What an environment is to do: `times` questions of each kind, in this order. */
export const Order = z.object({
  workspace_id: z.string(),
  size: z.number(),
  dimensions: z.number(),
  head: Head,
  questions: z.array(z.object({ name: z.enum(questionNames), times: z.number() })),
});
export type Order = z.infer<typeof Order>;

const Moment = z.object({ wall_ms: z.number(), processor_ms: z.number() });
export type Moment = z.infer<typeof Moment>;

/** What the environment prints. Moments of one question are the time since it was asked. */
export const Answered = z.object({
  /** From the start of the process to the first question. */
  process_start_ms: z.number(),
  /** Epoch ms of the first question. */
  asked_at: z.number(),
  /** For the first question: the first and the last call of the table, which are before and after a restore. */
  build_begins: Moment,
  index_current: Moment,
  /** The most that was resident at any time. */
  peak_mb: z.number(),
  questions: z.array(
    z.object({
      name: z.enum(questionNames),
      /** The size of the selection or of the result. */
      found: z.number(),
      took: z.array(Moment),
      /** Resident, and of it without the pages of files, which the system can take back. */
      memory_mb: z.number(),
      anonymous_mb: z.number(),
    }),
  ),
});
export type Answered = z.infer<typeof Answered>;
