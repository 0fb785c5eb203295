// The journal of a step's model calls: one item per physical call that succeeded or failed for good, so that none is made twice.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Json } from '#contract/json.ts';
import type { StepKey } from '#contract/keys.ts';
import { newId } from '#platform/ids.ts';
import { Spent } from './runs.ts';
import { getItem, queryAll, table, tableName } from './table.ts';
import { keys } from './table-keys.ts';

/** Outcome of one call of a step; a failed call has cost nothing. */
export const JournaledCall = z.object({
  call: z.number(),
  step_attempt: z.number(),
  spent: Spent,
  output: Json.optional(),
  error: z.string().optional(),
});
export type JournaledCall = z.infer<typeof JournaledCall>;

/**
 * Records a call under its position in the step, over that of an earlier attempt. Returns the call that is recorded now: when another
 * invocation of this attempt was faster, its call.
 */
export async function recordCall(step: StepKey, call: JournaledCall): Promise<JournaledCall> {
  const Key = keys.call(step.workspace_id, step.run_id, step.position, call.call);
  const written_by = newId();
  try {
    await table.send(
      new PutCommand({
        TableName: tableName(),
        Item: { ...Key, ...call, written_by },
        ConditionExpression: 'attribute_not_exists(pk) OR step_attempt < :attempt',
        ExpressionAttributeValues: { ':attempt': call.step_attempt },
      }),
    );
    return call;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The item may come from this very call: the reply to its write can have been lost.
    const item = await getItem(Key);
    return item && item.written_by !== written_by ? JournaledCall.parse(item) : call;
  }
}

/** Every recorded call of the step, by position of the call. */
export async function readJournal(step: StepKey): Promise<Map<number, JournaledCall>> {
  const items = await queryAll(
    keys.runPartition(step.workspace_id, step.run_id),
    keys.callsOf(step.position),
  );
  return new Map(items.map((item) => JournaledCall.parse(item)).map((call) => [call.call, call]));
}
