// The head of a workspace's records: their incarnation, the newest snapshot, and when to make the next one.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { newNonce } from '#platform/ids.ts';
import { getItem, getItems, type Item, table, tableName, takesEffect } from '../table/table.ts';
import { due, duePartition, keys, workspaceOfPartition } from '../table/table-keys.ts';

/** A copy of the index in the bucket: objects with pieces of its files, and with its bodies. */
const Snapshot = z.object({
  generation: z.number(),
  schema: z.number(),
  /** The incarnation of the records in it. A snapshot of another incarnation is useless. */
  incarnation: z.string(),
  /** Epoch ms: every change stamped before it is in the snapshot. */
  cursor_ms: z.number(),
  records: z.number(),
  /** Of the objects' keys. */
  prefix: z.string(),
  /** SHA-256 of each piece of the core, which every question needs, in order. The core names all other objects. */
  part_sums: z.array(z.string()),
  /** The objects of each part have numbers below this one; not every number has one. */
  objects: z.record(z.string(), z.number()).default({}),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const Head = z.object({
  /** Created with the head. An index file of another incarnation belongs to another table. */
  incarnation: z.string(),
  snapshot: Snapshot.optional(),
  /** A compaction is running until then (epoch ms). */
  compacting_until: z.number().optional(),
  due_at: z.number().optional(),
});
export type Head = z.infer<typeof Head>;

interface Update {
  set: string;
  remove?: string;
  when?: string;
  values: Record<string, unknown>;
  /** Whether the expressions use `#snapshot`, a reserved word of DynamoDB. */
  snapshot?: true;
}

async function update(
  workspaceId: string,
  { set, remove, when, values, snapshot }: Update,
): Promise<Head | undefined> {
  const updated = table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.recordsHead(workspaceId),
      UpdateExpression: `SET ${set}${remove ? ` REMOVE ${remove}` : ''}`,
      ConditionExpression: when,
      ExpressionAttributeValues: values,
      ...(snapshot && { ExpressionAttributeNames: { '#snapshot': 'snapshot' } }),
      ReturnValues: 'ALL_NEW',
    }),
  );
  return (await takesEffect(updated)) ? Head.parse((await updated).Attributes) : undefined;
}

/** A head as read at a time (epoch ms). */
export interface SeenHead {
  head: Head | undefined;
  seen_at: number;
}

/** The head, or undefined before the first index of the workspace. */
export async function get(workspaceId: string): Promise<Head | undefined> {
  return headOf(await getItem(keys.recordsHead(workspaceId)));
}

/** The head in an item. */
export const headOf = (item: Item | undefined): Head | undefined => item && Head.parse(item);

/** The head, created if there is none. */
export async function getOrCreate(workspaceId: string): Promise<Head> {
  const known = await get(workspaceId);
  if (known) return known;
  const made = await update(workspaceId, {
    set: 'incarnation = if_not_exists(incarnation, :new)',
    values: { ':new': newNonce() },
  });
  if (!made) throw new Error('an update without a condition was refused');
  return made;
}

/** Those of the workspaces that have a head. */
export async function withHead(workspaceIds: string[]): Promise<string[]> {
  const items = await getItems(workspaceIds.map(keys.recordsHead));
  return items.map(({ pk }) => workspaceOfPartition(String(pk)));
}

/** Schedules a compaction at `dueAt` (epoch ms), unless an earlier one is scheduled. */
export async function scheduleCompaction(workspaceId: string, dueAt: number): Promise<void> {
  await update(workspaceId, {
    set: 'due_pk = :kind, due_at = :at, incarnation = if_not_exists(incarnation, :new)',
    when: 'attribute_not_exists(due_at) OR due_at > :at',
    values: { ':kind': duePartition(due.records, workspaceId), ':at': dueAt, ':new': newNonce() },
  });
}

/** Claims the compaction for a while and unschedules it; undefined while another process has the claim. */
export function claimCompaction(
  workspaceId: string,
  nowMs: number,
  untilMs: number,
): Promise<Head | undefined> {
  return update(workspaceId, {
    set: 'compacting_until = :until, incarnation = if_not_exists(incarnation, :new)',
    remove: 'due_pk, due_at',
    when: 'attribute_not_exists(compacting_until) OR compacting_until < :now',
    values: { ':now': nowMs, ':until': untilMs, ':new': newNonce() },
  });
}

/** When (epoch ms) a snapshot must be renewed: two days before the changes since it expire. */
const renewalOf = ({ cursor_ms }: Snapshot) => cursor_ms + 4 * 24 * 3600 * 1000;

/**
 * Replaces the snapshot of generation `before` (0: none), ends the claim, and schedules the compaction that renews it;
 * false if another process replaced it first.
 */
export async function replaceSnapshot(
  workspaceId: string,
  before: number,
  snapshot: Snapshot,
): Promise<boolean> {
  const head = await update(workspaceId, {
    set: '#snapshot = :snapshot, due_pk = if_not_exists(due_pk, :kind), due_at = if_not_exists(due_at, :renewed)',
    remove: 'compacting_until',
    when: before === 0 ? 'attribute_not_exists(#snapshot)' : '#snapshot.generation = :before',
    values: {
      ':snapshot': snapshot,
      ':kind': duePartition(due.records, workspaceId),
      ':renewed': renewalOf(snapshot),
      ...(before > 0 && { ':before': before }),
    },
    snapshot: true,
  });
  return head !== undefined;
}

/** Clears compaction requests made before `nowMs`; what is due then is the renewal of `snapshot`, if there is one. */
export async function meetRequests(
  workspaceId: string,
  nowMs: number,
  snapshot: Snapshot | undefined,
): Promise<void> {
  const values = { ':none': 0, ':now': nowMs };
  await update(workspaceId, {
    when: 'due_at <= :now',
    ...(snapshot
      ? {
          set: 'compacting_until = :none, due_at = :renewed',
          values: { ...values, ':renewed': renewalOf(snapshot) },
        }
      : { set: 'compacting_until = :none', remove: 'due_pk, due_at', values }),
  });
}

/** Ends a claim without a new snapshot. */
export async function endCompaction(workspaceId: string): Promise<void> {
  await update(workspaceId, { set: 'compacting_until = :none', values: { ':none': 0 } });
}

/**
 * Gives the records a new incarnation, so that every index and snapshot of the old one is rebuilt. With `dueAt` (epoch
 * ms) a compaction is due then: in the same write, because without a snapshot nothing shows that one is missing.
 */
export async function renewIncarnation(workspaceId: string, dueAt?: number): Promise<void> {
  const isDue = dueAt !== undefined;
  await update(workspaceId, {
    set: `incarnation = :new${isDue ? ', due_pk = :kind, due_at = :at' : ''}`,
    remove: '#snapshot',
    values: {
      ':new': newNonce(),
      ...(isDue && { ':kind': duePartition(due.records, workspaceId), ':at': dueAt }),
    },
    snapshot: true,
  });
}
