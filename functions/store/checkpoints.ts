// Checkpoints: what a finished step left, kept for later steps, for resume and for reruns.
import * as z from 'zod';
import { newId } from '#platform/ids.ts';
import { Packed, pack, unpack } from './packed.ts';
import { getItems, tableName, type Write } from './table.ts';
import { keys } from './table-keys.ts';

const Checkpoint = z.object({
  items_out: z.number().optional(),
  body: Packed,
});

export interface CheckpointPlace {
  workspace_id: string;
  /** The run that the step ran in; a rerun reads those of its source. */
  run_id: string;
  position: number;
}

/** Write that saves the output of a step. */
export async function checkpointWrite(
  place: CheckpointPlace,
  output: unknown,
  itemsOut: number | undefined,
): Promise<Write> {
  const { workspace_id, run_id, position } = place;
  const body = await pack(output, `${workspace_id}/runs/${run_id}/step-${position}-${newId()}.json`);
  const Item = { ...keys.checkpoint(workspace_id, run_id, position), body, items_out: itemsOut };
  return { Put: { TableName: tableName(), Item } };
}

async function stored(places: CheckpointPlace[]): Promise<(z.infer<typeof Checkpoint> | undefined)[]> {
  const wanted = places.map((place) => keys.checkpoint(place.workspace_id, place.run_id, place.position));
  const found = new Map(
    (await getItems(wanted)).map((item) => [`${item.pk} ${item.sk}`, Checkpoint.parse(item)]),
  );
  return wanted.map(({ pk, sk }) => found.get(`${pk} ${sk}`));
}

/** Outputs of steps, in the order of `places`; undefined where none was saved. One read for all of them (at most 50). */
export async function readCheckpoints<T>(
  places: CheckpointPlace[],
  parse: (value: unknown) => T,
): Promise<(T | undefined)[]> {
  return Promise.all(
    (await stored(places)).map((checkpoint) => checkpoint && unpack(checkpoint.body, parse)),
  );
}

/** Which of the places hold a checkpoint, and how many items each yielded. */
export async function checkpointsAt(
  places: CheckpointPlace[],
): Promise<({ items_out: number | undefined } | undefined)[]> {
  return (await stored(places)).map((checkpoint) => checkpoint && { items_out: checkpoint.items_out });
}
