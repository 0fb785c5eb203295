// The slots of a workspace among the attempts that are under way at once, and the times of its redeliveries. Only
// attempts that may take long have a slot: one item per workspace.
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { jitter, pause } from '#platform/pause.ts';
import { getEvenExpired, table, tableName, takesEffect } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const Slots = z.object({
  /** By attempt, the time at which its process is dead, epoch ms. */
  held: z.record(z.string(), z.number()),
  /** When the next redelivery may be made, epoch ms. */
  free_at: z.number(),
  version: z.number(),
});

/** A slot that an attempt has. */
export interface DeliverySlot {
  workspace_id: string;
  attempt: string;
}

interface Wish {
  until: number;
  /** How many slots there are; undefined: one is taken in any case. */
  max?: number;
  /** The time between two redeliveries; 0 for other attempts. */
  spacingMs: number;
}

/** Long after the last attempt, nothing in the item matters any more. */
const STORED_MS = 3600_000;
const TRIES = 10;
const TRY_AGAIN_MS = 20;

/** The last wish of this process for a slot, by workspace: those of one process need not meet in the table. */
const last = new Map<string, Promise<unknown>>();

/** Takes a slot, and says when the attempt may be made (epoch ms); undefined if none is free. */
export function take(slot: DeliverySlot, wish: Wish): Promise<number | undefined> {
  const { workspace_id } = slot;
  const taking = (last.get(workspace_id) ?? Promise.resolve()).then(() => takeNow(slot, wish));
  const over = taking
    .catch(() => undefined)
    .finally(() => {
      if (last.get(workspace_id) === over) last.delete(workspace_id);
    });
  last.set(workspace_id, over);
  return taking;
}

async function takeNow(slot: DeliverySlot, { until, max, spacingMs }: Wish): Promise<number | undefined> {
  const key = keys.deliverySlots(slot.workspace_id);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const item = await getEvenExpired(key);
    const { held, free_at, version } = item ? Slots.parse(item) : { held: {}, free_at: 0, version: 0 };
    const now = Date.now();
    const others = Object.entries(held).filter(([name, end]) => end > now && name !== slot.attempt);
    if (max !== undefined && others.length >= max) return undefined;
    const at = spacingMs > 0 ? Math.max(now, free_at) : now;
    const changed = {
      held: { ...Object.fromEntries(others), [slot.attempt]: until },
      free_at: spacingMs > 0 ? at + spacingMs : free_at,
      version: version + 1,
      expires_at_seconds: Math.ceil((until + STORED_MS) / 1000),
    };
    const put = new PutCommand({
      TableName: tableName(),
      Item: { ...key, ...changed },
      ConditionExpression: item ? 'version = :version' : 'attribute_not_exists(pk)',
      ...(item && { ExpressionAttributeValues: { ':version': version } }),
    });
    if (await takesEffect(table.send(put))) return at;
    await pause(jitter(TRY_AGAIN_MS * (tried + 1)));
  }
  return undefined;
}

/** Gives a slot back. One that a crash keeps is free when its time is over. */
export async function release({ workspace_id, attempt }: DeliverySlot): Promise<void> {
  const removed = table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.deliverySlots(workspace_id),
      UpdateExpression: 'REMOVE held.#attempt ADD version :one',
      ConditionExpression: 'attribute_exists(held.#attempt)',
      ExpressionAttributeNames: { '#attempt': attempt },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  await takesEffect(removed);
}
