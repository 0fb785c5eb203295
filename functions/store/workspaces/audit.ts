// The audit of a workspace, newest last. People and their scripts act seldom, so one partition takes all entries: some
// 500 a second, as each belongs to a transaction.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type AuditAction, AuditEntry } from '#contract/audit.ts';
import { newNonce } from '#platform/ids.ts';
import { expiryOf } from '../table/expiry.ts';
import {
  ConditionFailed,
  getItem,
  Key,
  queryNewest,
  table,
  tableName,
  transact,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** Who acts: the id of a key or `admin`, and the request. */
export type Actor = Pick<AuditEntry, 'actor' | 'request_id'>;

/** Write that tells who changed what; part of the transaction that makes the change. */
export function auditWrite(
  workspaceId: string,
  { actor, request_id }: Actor,
  action: AuditAction,
  target: string,
): Write {
  return putOf(newEntry(workspaceId, { actor, request_id, action, target }));
}

/** The same of a change of `count` records, with the key of the entry. */
export function auditCount(
  workspaceId: string,
  { actor, request_id }: Actor,
  action: AuditAction,
  { target, count }: { target: string; count: number },
): { key: Key; write: Write } {
  const entry = newEntry(workspaceId, { actor, request_id, action, target, count });
  return { key: { pk: entry.pk, sk: entry.sk }, write: putOf(entry) };
}

/** Write that adds to the count of an entry, for further transactions of one request. */
export function auditMore(entry: Key, count: number): Write {
  return { Update: { TableName: tableName(), ...adding(entry, count) } };
}

/** A new entry, with its key. */
function newEntry(workspaceId: string, entry: Omit<AuditEntry, 'at'>) {
  const at = Date.now();
  const key = keys.auditEntry(workspaceId, at, newNonce());
  return { ...key, at, ...entry, ...expiryOf('audit', at) };
}

const putOf = (Item: object): Write => ({ Put: { TableName: tableName(), Item: { ...Item } } });

/**
 * Tells of an import of `count` records, before they are written: a crash in between leaves an entry of what may have
 * been written. The parts of one import share an entry, which adds them up.
 */
export async function auditImport(
  workspaceId: string,
  by: Actor,
  count: number,
  importId: string | undefined,
): Promise<void> {
  const known = importId === undefined ? undefined : keys.countedImport(workspaceId, importId);
  const of = known && (await getItem(known));
  if (of) return addToEntry(Key.parse(of.entry), count);
  const entry = newEntry(workspaceId, { ...by, action: 'entity.import', target: '*', count });
  const own = { pk: entry.pk, sk: entry.sk };
  const counted = known && {
    Put: {
      TableName: tableName(),
      Item: { ...known, entry: own, ...expiryOf('file_import', entry.at) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  try {
    await transact([putOf(entry), ...(counted ? [counted] : [])]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Another part was first.
    await auditImport(workspaceId, by, count, importId);
  }
}

const adding = (entry: Key, count: number) => ({
  Key: entry,
  UpdateExpression: 'ADD #count :count',
  ExpressionAttributeNames: { '#count': 'count' },
  ExpressionAttributeValues: { ':count': count },
});

async function addToEntry(entry: Key, count: number): Promise<void> {
  await table.send(new UpdateCommand({ TableName: tableName(), ...adding(entry, count) }));
}

/** The newest entries before the given key, newest first, each with its key. */
export async function page(
  workspaceId: string,
  limit: number,
  before: string | undefined,
): Promise<{ entry: AuditEntry; key: string }[]> {
  const items = await queryNewest(keys.audit(workspaceId), limit, before);
  return items.map(({ pk: _, sk, expires_at_seconds: __, ...entry }) => ({
    entry: AuditEntry.parse(entry),
    key: String(sk),
  }));
}
