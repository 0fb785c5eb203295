// What a records client sends to a records server, and what it gets back.
import * as z from 'zod';
import { reasonsOf } from '#contract/error-reasons.ts';
import type { OperationName } from '#record-index/index-operations.ts';
import { Head } from '#store/records/record-heads.ts';

/** The index could not apply all changes in time. A retry helps: it continues where this attempt ended. */
export class RecordsBehind extends Error {
  constructor(workspaceId: string) {
    super(`the record index of workspace ${workspaceId} is behind the table`);
    this.name = 'RecordsBehind';
  }
}

/** The operations that only read. */
const readings = [
  'types',
  'find',
  'ids',
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

/** What is known of how fresh an index is: it spares reads of the table. */
export const Freshness = z.object({
  /** An index of this environment began to catch up then (epoch ms there), and became current. */
  index: z.object({ environment: z.string(), at: z.number() }).optional(),
  /** The head of the records, read this long ago. */
  head: z.object({ value: Head, age_ms: z.number() }).optional(),
});
export type Freshness = z.infer<typeof Freshness>;

export const RecordQuestion = z.object({
  /** Whose records: several only for groups. */
  workspace_ids: z.array(z.string()).min(1),
  operation: z.enum(readings),
  /** The input of the operation, for those that have one. */
  input: z.unknown().optional(),
  /** What the asker knows, by an earlier answer or its own reads. */
  freshness: Freshness.optional(),
  /** How long the answer may wait for an index that is behind. */
  budget_ms: z.number(),
  /** For a step: the reading ends with its allowance, or when its run is canceled. Absent: it takes what it needs. */
  step: z.object({ run: z.object({ workspace_id: z.string(), id: z.string() }), left: Left }).optional(),
});
export type RecordQuestion = z.infer<typeof RecordQuestion>;

const RecordAnswer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('read'), output: z.unknown().optional(), used: Left, freshness: Freshness }),
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
  z.object({ outcome: z.literal('saved'), object_key: z.string(), used: Left, freshness: Freshness }),
]);
export type RecordReply = z.infer<typeof RecordReply>;
