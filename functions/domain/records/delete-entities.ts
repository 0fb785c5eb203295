// Deletes records with their relationships (rules.md: entities 10).
import type { Entity } from '#contract/entities.ts';
import type { DeletedEntities, DeleteEntities } from '#contract/entity-changes.ts';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { claimNoticeSoon, watching } from '#domain/change-notices/notify-monitors.ts';
import { meetsEach } from '#models/meets.ts';
import { chunks } from '#platform/chunks.ts';
import { isUuid } from '#platform/crypto.ts';
import { settleAll } from '#platform/settle-all.ts';
import * as marks from '#store/monitors/change-notices.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import { unindexRecords } from '#store/records/vectors.ts';
import type { Key } from '#store/table/table.ts';
import { type Actor, auditCount, auditMore } from '#store/workspaces/audit.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { openForRequest } from './records-client.ts';
import { retryIfChanged } from './retry-if-changed.ts';
import { unlink } from './unlink.ts';

/** Even the longest records of so many fit into memory. */
const READ_AT_ONCE = 100;
/** A transaction has at most 100 actions: four for each record, three for the log of changes and the audit. */
const DELETED_AT_ONCE = 24;
const UNLINKED_AT_ONCE = 10;
/** A request has 29 s; what is left then is for its next call. */
const WORKS_MS = 15_000;

interface Deletion {
  workspace: Workspace;
  /** What the audit names: the record, or `*`. */
  target: string;
  by: Actor;
  mayDelete(record: Entity): boolean;
}

/** Deletes a record. Throws entity_not_found. */
export async function deleteEntity(workspace: Workspace, id: string | undefined, by: Actor): Promise<void> {
  if (!isUuid(id)) throw fail('entity_not_found');
  const target = id.toLowerCase();
  const { deleted } = await deleteAll({ workspace, target, by, mayDelete: () => true }, [target]);
  if (deleted === 0) throw fail('entity_not_found');
}

/** Deletes the records that are all that is asked for. Throws upstream_timeout. */
export async function deleteEntities(
  workspace: Workspace,
  { type, where, ids }: DeleteEntities,
  by: Actor,
): Promise<DeletedEntities> {
  const { ids: found, matched } = ids
    ? { ids: [...new Set(ids.map((id) => id.toLowerCase()))], matched: 0 }
    : await openForRequest(workspace.workspace_id)('ids', {
        types: type === undefined ? null : [type],
        where,
        limit: limits.entities_written_max,
      });
  // The table decides: a record may have changed since the index was asked.
  const mayDelete = (record: Entity) =>
    (type === undefined || record.type === type) &&
    (where === undefined || meetsEach(record, [where])[0] === true);
  const { deleted, isDone } = await deleteAll({ workspace, target: '*', by, mayDelete }, found);
  return { deleted, has_more: !isDone || matched > found.length };
}

async function deleteAll(deletion: Deletion, ids: string[]): Promise<{ deleted: number; isDone: boolean }> {
  const { workspace_id } = deletion.workspace;
  const until = Date.now() + WORKS_MS;
  const mark = marks.newNotice(workspace_id);
  const progress: Progress = { deleted: 0, entry: undefined, mark, isMarked: false };
  let isDone = true;
  for (const some of chunks(ids, READ_AT_ONCE)) {
    isDone = Date.now() < until;
    if (!isDone) break;
    await retryIfChanged(() => deleteSome(deletion, some, progress));
  }
  if (progress.isMarked) await claimNoticeSoon(mark);
  return { deleted: progress.deleted, isDone };
}

interface Progress {
  deleted: number;
  /** The entry of the audit, once there is one. */
  entry: Key | undefined;
  mark: marks.NoticeKey;
  isMarked: boolean;
}

/** Throws ConditionFailed when another writer was faster: what is left is read again. */
async function deleteSome(deletion: Deletion, ids: string[], progress: Progress): Promise<void> {
  const { workspace, mayDelete } = deletion;
  const { workspace_id } = workspace;
  const found = (await entities.getMany(workspace_id, ids)).filter(mayDelete);
  if (found.length === 0) return;
  const watchers = await watching(
    workspace,
    found.map((before) => ({ before })),
  );
  // Before the records: after a crash, the sweep marks for what may be deleted.
  if (watchers.length > 0) await marks.add(progress.mark, watchers, Date.now());
  progress.isMarked ||= watchers.length > 0;
  const gone = found.map(({ id }) => id);
  // Before the records, so that after a crash the same request finds the record and goes on; and after them, for what
  // was linked in between.
  await settleAll(gone, UNLINKED_AT_ONCE, (id) => unlink(workspace_id, id));
  for (const some of chunks(found, DELETED_AT_ONCE)) await deleteTogether(deletion, some, progress);
  // A vector that a crash leaves in its index names no record, so no search finds it.
  await unindexRecords(workspace_id, gone);
  await settleAll(gone, UNLINKED_AT_ONCE, (id) => unlink(workspace_id, id));
}

async function deleteTogether(
  { workspace: { workspace_id }, target, by }: Deletion,
  some: Entity[],
  progress: Progress,
): Promise<void> {
  const { key, write } = progress.entry
    ? { key: progress.entry, write: auditMore(progress.entry, some.length) }
    : auditCount(workspace_id, by, 'entity.delete', { target, count: some.length });
  await transactRecords(workspace_id, { records: some.map(({ id }) => id) }, [
    ...some.flatMap(entities.entityDeletes),
    write,
  ]);
  progress.entry = key;
  progress.deleted += some.length;
}
