// Purges a workspace: closes it, ends its work, then deletes all its data for good (rules.md: retention 3).
import type * as z from 'zod';
import { indexFile } from '#domain/records/index-disk.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { removeIndex } from '#record-index/record-index.ts';
import * as bridges from '#store/records/bridge-states.ts';
import { eraseVectors } from '#store/records/vectors.ts';
import { deleteItems, findItems } from '#store/table/erase.ts';
import { workspacePrefixes } from '#store/table/object-keys.ts';
import { eraseObjects } from '#store/table/object-versions.ts';
import { Key } from '#store/table/table.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { endWork } from './end-work.ts';

/** The result of a call; the next call continues from `next`. Without it the workspace is gone. */
export interface Purged {
  workspace_id: string;
  purged: boolean;
  runs_canceled?: number;
  objects_deleted?: number;
  items_deleted?: number;
  next?: string;
}

export interface PurgeSetting {
  /** A request accepted before the workspace closed may write for this long after it. */
  settle_ms: number;
  /** How long one call may take. */
  call_ms: number;
}

interface Asked {
  workspace_id: string;
  confirm: string;
  after?: string | undefined;
}

/**
 * One part of the purge: closes the workspace until its work has ended, then deletes its objects, vectors and items,
 * and finally the workspace itself. Every part is repeatable, so a purge that crashed can be restarted; purging a
 * deleted workspace finds nothing. `after` is the `next` of the previous call. Throws AdminError `invalid_arguments`.
 */
export async function purgeWorkspace(asked: Asked, { settle_ms, call_ms }: PurgeSetting): Promise<Purged> {
  const { workspace_id, confirm, after = 'close' } = asked;
  if (confirm !== workspace_id)
    throw new AdminError('invalid_arguments', 'A purge cannot be undone: repeat the id in --confirm.');
  const [name = '', cursor] = after.split(' ');
  const perform = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (!perform) throw new AdminError('invalid_arguments', `A purge has no part ${name}.`);
  const done = await perform({ workspaceId: workspace_id, cursor, until: Date.now() + call_ms, settle_ms });
  return { workspace_id, purged: done.next === undefined, ...done };
}

interface Call {
  workspaceId: string;
  /** Where the part continues; undefined at its start. */
  cursor: string | undefined;
  /** Epoch ms when the call should end. */
  until: number;
  settle_ms: number;
}
type Part = Omit<Purged, 'workspace_id' | 'purged'>;

/** In execution order. */
const parts: Readonly<Record<string, (call: Call) => Promise<Part>>> = {
  close,
  objects: deleteObjects,
  vectors: deleteVectors,
  items: deleteItemsAndWorkspace,
};

/** Closes the workspace and ends its work. Keys go first: from then on their callers get 401. */
async function close({ workspaceId, until, settle_ms }: Call): Promise<Part> {
  const workspace = await workspaces.get(workspaceId);
  if (!workspace) return { next: 'objects' };
  const closed_at = workspace.closed_at ?? Date.now();
  await apiKeys.deleteBearers(workspaceId);
  await workspaces.update(workspaceId, { status: 'deleted', closed_at });
  const { canceled, ended } = await endWork(workspaceId, { settledAt: closed_at + settle_ms, until });
  return { runs_canceled: canceled, next: ended ? 'objects' : 'close' };
}

async function deleteObjects({ workspaceId, until }: Call): Promise<Part> {
  let objects_deleted = 0;
  for (const prefix of workspacePrefixes(workspaceId)) {
    for (let deleted = 1; deleted > 0; ) {
      if (Date.now() > until) return { objects_deleted, next: 'objects' };
      deleted = await eraseObjects(prefix);
      objects_deleted += deleted;
    }
  }
  return { objects_deleted, next: 'vectors' };
}

async function deleteVectors({ workspaceId }: Call): Promise<Part> {
  await eraseVectors(workspaceId);
  return { next: 'items' };
}

/** The position within a part, as text without spaces. */
const Cursor = {
  encode: (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url'),
  decode: <T>(shape: z.ZodType<T>, text: string) =>
    shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString())),
};

async function deleteItemsAndWorkspace({ workspaceId, cursor, until }: Call): Promise<Part> {
  let items_deleted = 0;
  let after = cursor === undefined ? undefined : Cursor.decode(Key, cursor);
  do {
    const { own, bridges: bridgeIds, next } = await findItems(workspaceId, after);
    await leaveBridges(workspaceId, bridgeIds);
    await deleteItems(own);
    items_deleted += own.length;
    after = next;
    if (after && Date.now() > until) return { items_deleted, next: `items ${Cursor.encode(after)}` };
  } while (after);
  await removeIndex(indexFile(workspaceId));
  await workspaces.forget(workspaceId);
  return { items_deleted };
}

/** Removes the workspace from these bridges; a bridge without workspaces is deleted. Safe to repeat. */
async function leaveBridges(workspaceId: string, bridgeIds: string[]): Promise<void> {
  for (const id of bridgeIds) {
    const bridge = await bridges.get(id);
    const others = bridge?.workspaces.filter(({ workspace_id }) => workspace_id !== workspaceId) ?? [];
    if (!bridge || others.length === bridge.workspaces.length) continue;
    if (others.length === 0) await bridges.remove(id);
    else await bridges.put({ ...bridge, workspaces: others });
  }
}
