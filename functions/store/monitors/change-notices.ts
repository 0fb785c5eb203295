// Changed records that monitors have still to take up: entries written with the records, or before an import of them.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { newNonce } from '#platform/ids.ts';
import { expiryOf } from '../table/expiry.ts';
import { getItem, table, tableName, type Write } from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';

export interface NoticeKey {
  workspace_id: string;
  name: string;
}

const Entry = z.object({ monitors: z.union([z.set(z.string()), z.array(z.string())]) });

/** How long an entry is left to its writer; then the sweep takes it up. */
const CLAIM_AFTER_MS = 60_000;
/** Likewise one of an import, counted from its last part: an import of many parts takes long. */
const CLAIM_IMPORT_AFTER_MS = 60 * 60_000;

/** The entry of one change. */
export const newNotice = (workspace_id: string): NoticeKey => ({ workspace_id, name: newNonce() });

/** The entry of an import, whose parts add to it. */
export const noticeOfImport = (workspace_id: string, importId: string): NoticeKey => ({
  workspace_id,
  name: `IMPORT#${importId}`,
});

const indexed = (workspaceId: string, dueAt: number) => ({
  due_pk: duePartition(due.marks, workspaceId),
  due_at: dueAt,
});

/** Write of an entry together with the records that changed: both are there, or neither. */
export function noticeWrite({ workspace_id, name }: NoticeKey, monitors: string[], nowMs: number): Write {
  const Item = {
    ...keys.mark(workspace_id, name),
    monitors,
    ...indexed(workspace_id, nowMs + CLAIM_AFTER_MS),
    ...expiryOf('change_mark', nowMs),
  };
  return { Put: { TableName: tableName(), Item } };
}

/** Adds monitors to an entry, before the records of an import are written. */
export async function add(
  { workspace_id, name }: NoticeKey,
  monitors: string[],
  nowMs: number,
): Promise<void> {
  const { due_pk, due_at } = indexed(workspace_id, nowMs + CLAIM_IMPORT_AFTER_MS);
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.mark(workspace_id, name),
      UpdateExpression: 'SET due_pk = :pk, due_at = :at, expires_at_seconds = :expiry ADD monitors :monitors',
      ExpressionAttributeValues: {
        ':pk': due_pk,
        ':at': due_at,
        ':expiry': expiryOf('change_mark', nowMs).expires_at_seconds,
        ':monitors': new Set(monitors),
      },
    }),
  );
}

/** The monitors of an entry; none if it was taken up. */
export async function read({ workspace_id, name }: NoticeKey): Promise<string[]> {
  const item = await getItem(keys.mark(workspace_id, name));
  return item ? [...Entry.parse(item).monitors] : [];
}

/** Write that removes an entry; fails if another process has taken it up. */
export function removeWrite({ workspace_id, name }: NoticeKey): Write {
  const Key = keys.mark(workspace_id, name);
  return { Delete: { TableName: tableName(), Key, ConditionExpression: 'attribute_exists(pk)' } };
}

/** The entry of a key in the index of due items. */
export function noticeOfKey({ pk, sk }: { pk: string; sk: string }): NoticeKey {
  return { workspace_id: pk.split('#')[1] ?? '', name: sk };
}
