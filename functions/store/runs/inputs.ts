// What a run was asked to do: its input as sent, and the plan it follows.
import * as z from 'zod';
import { JsonObject } from '#contract/json.ts';
import { DossierParams } from '#contract/plans.ts';
import { RunInput } from '#contract/runs.ts';
import { stepKinds } from '#contract/steps.ts';
import { newId } from '#platform/ids.ts';
import { runObject } from '../table/object-keys.ts';
import { PackedItem, pack, unpack } from '../table/packed.ts';
import { getItem, type Item, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** A plan ready to run: indexes filled in, steps in order. */
export const SavedPlan = z.object({
  title: z.string(),
  steps: z.array(
    z.object({
      index: z.number(),
      kind: z.enum(stepKinds),
      title: z.string(),
      description: z.string().optional(),
      instructions: z.string().optional(),
      params: JsonObject,
    }),
  ),
  /** Only in the plan of a dossier: what its writing step needs besides params. */
  dossier: DossierParams.extend({ entity_id: z.string() }).optional(),
});
export type SavedPlan = z.infer<typeof SavedPlan>;

/** Write that saves the input of a new run. */
export async function inputWrite(workspaceId: string, runId: string, input: RunInput): Promise<Write> {
  const body = await pack(input, runObject(workspaceId, runId, `input-${newId()}`));
  return { Put: { TableName: tableName(), Item: { ...keys.input(workspaceId, runId), body } } };
}

/** Write that saves the plan of a run. */
export async function planWrite(workspaceId: string, runId: string, plan: SavedPlan): Promise<Write> {
  const body = await pack(plan, runObject(workspaceId, runId, `plan-${newId()}`));
  return { Put: { TableName: tableName(), Item: { ...keys.plan(workspaceId, runId), body } } };
}

/** The input in an item of `inputWrite`. */
export function inputOf(item: Item): Promise<RunInput> {
  return unpack(PackedItem.parse(item).body, (value) => RunInput.parse(value));
}

/** The plan in an item of `planWrite`. */
export function planOf(item: Item): Promise<SavedPlan> {
  return unpack(PackedItem.parse(item).body, (value) => SavedPlan.parse(value));
}

/** The plan the run follows, or undefined while it has none. */
export async function readPlan(workspaceId: string, runId: string): Promise<SavedPlan | undefined> {
  const item = await getItem(keys.plan(workspaceId, runId));
  return item && planOf(item);
}
