// Checkpoints: the output of each finished step, for later steps, resume and reruns.
import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { StepKey } from '#contract/run-keys.ts';
import { newId } from '#platform/ids.ts';
import { isWorkable } from '../table/expiry.ts';
import { runObject } from '../table/object-keys.ts';
import { absentIfGone } from '../table/object-store.ts';
import { openPacked, Packed, pack, unpack } from '../table/packed.ts';
import { getItems, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { existingItems, livesWith, type OwningRun } from './items-with-run.ts';

const Checkpoint = z.object({
  items_out: z.number().optional(),
  body: Packed,
  expires_at_seconds: z.number().optional(),
});

/** Write that saves the output of a step. */
export async function checkpointWrite(
  run: OwningRun,
  position: number,
  output: unknown,
  itemsOut: number | undefined,
): Promise<Write> {
  const { workspace_id, id } = run;
  const body = await pack(output, runObject(workspace_id, id, `step-${position}-${newId()}`));
  const key = keys.checkpoint(workspace_id, id, position);
  const Item = { ...key, body, items_out: itemsOut, ...livesWith(run) };
  return { Put: { TableName: tableName(), Item } };
}

async function stored(steps: StepKey[]): Promise<(z.infer<typeof Checkpoint> | undefined)[]> {
  const wanted = steps.map((step) => keys.checkpoint(step.workspace_id, step.run_id, step.position));
  const items = await existingItems(steps[0]?.workspace_id ?? '', await getItems(wanted));
  const found = new Map(items.map((item) => [`${item.pk} ${item.sk}`, Checkpoint.parse(item)]));
  return wanted.map(({ pk, sk }) => found.get(`${pk} ${sk}`));
}

/** Outputs of steps, in the order of `steps`; undefined where none was saved. One read for all of them (at most 50). */
export async function readCheckpoints<T>(
  steps: StepKey[],
  parse: (value: unknown) => T | Promise<T>,
): Promise<(T | undefined)[]> {
  return Promise.all((await stored(steps)).map((checkpoint) => checkpoint && unpack(checkpoint.body, parse)));
}

/**
 * The JSON text of the output of a step, piece by piece; undefined where none was saved, or its run was deleted
 * meanwhile.
 */
export async function openCheckpoint(step: StepKey): Promise<Readable | undefined> {
  const [checkpoint] = await stored([step]);
  return checkpoint && openPacked(checkpoint.body).catch(absentIfGone);
}

/**
 * The number of items of each step's checkpoint, in the order of `steps`; undefined for one that is missing or about to
 * expire.
 */
export async function checkpointsAt(
  steps: StepKey[],
): Promise<({ items_out: number | undefined } | undefined)[]> {
  const now = Date.now();
  return (await stored(steps)).map((checkpoint) =>
    checkpoint && isWorkable(checkpoint, now) ? { items_out: checkpoint.items_out } : undefined,
  );
}
