// The journal of a step's model calls: one item per physical call that succeeded or failed for good, so that none is
// made twice.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Json } from '#contract/json.ts';
import { ModelFault } from '#contract/model-faults.ts';
import type { RunKey, StepKey } from '#contract/run-keys.ts';
import { newId } from '#platform/ids.ts';
import { throughTrouble } from '#platform/through-trouble.ts';
import { callExpiry, type Expiring, FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { callObject } from '../table/object-keys.ts';
import { Packed, pack, unpack } from '../table/packed.ts';
import {
  ConditionFailed,
  getItem,
  type Item,
  queryAll,
  table,
  tableName,
  takesEffect,
  transact,
  type Write,
} from '../table/table.ts';
import { callOfKey, keys } from '../table/table-keys.ts';
import { ModelTry, type TracedCalls } from './model-tries.ts';
import { type RunRecord, Spent } from './run-record.ts';
import { StaleRun } from './runs.ts';

/** Stands for the position of a step in the journal of a run that is being planned; a plan has at most 50 steps. */
export const PLANNING = 999;

/** What a model has not read as a whole: items that were cut, or whatever the provider cut. */
const ShortenedInput = z.union([
  z.object({ items: z.number(), of: z.number() }),
  z.object({ by: z.literal('provider') }),
]);
export type ShortenedInput = z.infer<typeof ShortenedInput>;

/** Outcome of one call of a step, and what all its replies have cost. */
export const JournaledCall = z.object({
  call: z.number(),
  step_attempt: z.number(),
  spent: Spent,
  output: Json.optional(),
  error: z.string().optional(),
  /** For the trace of the run. */
  tries: z.array(ModelTry).optional(),
  /** Why it failed. */
  fault: ModelFault.optional(),
  /** How many bytes the prompts of the step's tasks may have, by which its calls were divided. */
  prompt_bytes: z.record(z.string(), z.number()).optional(),
  /** What of its input did not reach the model as a whole. */
  shortened: z.array(ShortenedInput).optional(),
  /** Which write it is; absent until it is recorded. */
  written_by: z.string().optional(),
});
export type JournaledCall = z.infer<typeof JournaledCall>;

/** As JSON text, an answer comes back unchanged: any length, any name of a member, any number. */
const Stored = JournaledCall.omit({ output: true }).extend({ packed_output: Packed.optional() });

async function open(item: Item): Promise<JournaledCall> {
  const { packed_output, ...call } = Stored.parse(item);
  return packed_output
    ? { ...call, output: await unpack(packed_output, (value) => Json.parse(value)) }
    : call;
}

async function toStored(step: StepKey, { output, ...call }: JournaledCall): Promise<z.infer<typeof Stored>> {
  if (output === undefined) return call;
  const name = `call-${step.position}-${call.call}-${newId()}`;
  const key = callObject(step.workspace_id, step.run_id, name);
  return { ...call, packed_output: await pack(output, key) };
}

interface Expected {
  /** The entry of an earlier attempt that it replaces; its cost includes that one's. */
  known?: JournaledCall | undefined;
  /** The run as last read: it must not have changed since. */
  owned?: RunRecord;
}

/**
 * Records a call under its position in the step. Returns the recorded call: another invocation's, if that was faster.
 * The entry expires with its run at the latest. Throws StaleRun if the run is not as expected.
 */
export async function recordCall(
  step: StepKey,
  call: JournaledCall,
  run: Expiring,
  { known, owned }: Expected = {},
): Promise<JournaledCall> {
  const now = Date.now();
  const Key = keys.call(step.workspace_id, step.run_id, step.position, call.call);
  const written_by = newId();
  const stored = await throughTrouble(() => toStored(step, call));
  const put = {
    TableName: tableName(),
    Item: { ...Key, ...stored, written_by, ...callExpiry(run, now) },
    ConditionExpression: `${FREE_KEY} OR written_by = :known`,
    ExpressionAttributeValues: { ':known': known?.written_by ?? '', ...freeKeyValues(now) },
  };
  const write = () =>
    owned ? writeIfUnchanged(owned, { Put: put }) : takesEffect(table.send(new PutCommand(put)));
  return throughTrouble(async () => {
    if (await write()) return call;
    // An earlier try of this write may have succeeded without a reply.
    const item = await getItem(Key);
    return item && item.written_by !== written_by ? open(item) : call;
  });
}

/** Whether the write takes effect. Throws StaleRun if the run has changed since it was read. */
async function writeIfUnchanged(run: RunRecord, write: Write): Promise<boolean> {
  const ConditionCheck = {
    TableName: tableName(),
    Key: keys.run(run.workspace_id, run.id),
    ConditionExpression: 'version = :read',
    ExpressionAttributeValues: { ':read': run.version },
  };
  try {
    await transact([write, { ConditionCheck }]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.index === 1) throw new StaleRun(run.id);
    return false;
  }
}

/** Every recorded call of the step, by position of the call. */
export async function readJournal(step: StepKey): Promise<Map<number, JournaledCall>> {
  const items = await queryAll(
    keys.runPartition(step.workspace_id, step.run_id),
    keys.callsOf(step.position),
  );
  return new Map((await Promise.all(items.map(open))).map((call) => [call.call, call]));
}

const Traced = z.object({ sk: z.string(), step_attempt: z.number(), tries: z.array(ModelTry).default([]) });

/** The calls of a model behind one entry of the journal. */
export interface JournaledTries extends TracedCalls {
  call: number;
}

/** What the journal of a run has for its trace: no answers, which may be long. */
export async function readTries(run: RunKey): Promise<JournaledTries[]> {
  const partition = keys.runPartition(run.workspace_id, run.run_id);
  const items = await queryAll(partition, keys.calls, 'sk, step_attempt, tries');
  return items.map((item) => {
    const { sk, step_attempt, tries } = Traced.parse(item);
    return { ...callOfKey(sk), attempt: step_attempt, tries };
  });
}
