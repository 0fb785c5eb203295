// A question that a function asks the one that reads record indexes, and its answer.
import * as z from 'zod';
import { reasonsOf } from '#contract/error-reasons.ts';
import type { OperationName } from '#record-index/operations.ts';
import { Head } from '#store/records/record-heads.ts';

/** The operations that only read. */
const readings = [
  'types',
  'find',
  'fields',
  'nearest',
  'vectorCounts',
  'group',
  'findLinks',
  'linksOf',
  'outline',
  'mentionedValues',
  'mentionedRecords',
  'named',
  'recordWithLinks',
  'describe',
] as const satisfies OperationName[];

/** What a step may still use (see Allowance). */
const Left = z.object({ ms: z.number(), pairs: z.number() });

/** In which environment, and when (epoch ms there), an index began to catch up for an answer. */
const Followed = z.object({ environment: z.string(), at: z.number() });
export type Followed = z.infer<typeof Followed>;

export const RecordQuestion = z.object({
  /** Whose records: several only for groups. */
  workspace_ids: z.array(z.string()).min(1),
  operation: z.enum(readings),
  /** The input of the operation, for those that have one. */
  input: z.unknown().optional(),
  /** An earlier answer to the asker: its environment need not catch up again. */
  after: Followed.optional(),
  /** The head of the records as the asker read it this long ago. */
  seen: z.object({ head: Head, age_ms: z.number() }).optional(),
  /** How long the answer may wait for an index that is behind. */
  budget_ms: z.number(),
  /** For a step: the reading ends with its allowance, or when its run is canceled. Absent: it takes what it needs. */
  step: z.object({ run: z.object({ workspace_id: z.string(), id: z.string() }), left: Left }).optional(),
});
export type RecordQuestion = z.infer<typeof RecordQuestion>;

const RecordAnswer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('read'), output: z.unknown().optional(), used: Left, followed: Followed }),
  /** The index could not apply all changes in time. */
  z.object({ outcome: z.literal('behind') }),
  /** The run of the step was canceled. */
  z.object({ outcome: z.literal('stopped') }),
  z.object({
    outcome: z.literal('too_costly'),
    reason: reasonsOf('step_too_costly'),
    limit: z.number(),
  }),
  /** A service that the reader needs did not answer or refused for lack of capacity. */
  z.object({ outcome: z.literal('trouble'), message: z.string() }),
]);
export type RecordAnswer = z.infer<typeof RecordAnswer>;

/** What Records replies: the answer, or where its output is because a reply has no room for it. */
export const RecordReply = z.discriminatedUnion('outcome', [
  ...RecordAnswer.options,
  z.object({ outcome: z.literal('saved'), object_key: z.string(), used: Left, followed: Followed }),
]);
export type RecordReply = z.infer<typeof RecordReply>;
