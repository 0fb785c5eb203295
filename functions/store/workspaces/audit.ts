// The audit of a workspace, newest last. People and their scripts act seldom, so one partition takes all entries: some
// 500 a second, as each belongs to a transaction.
import { type AuditAction, AuditEntry } from '#contract/audit.ts';
import { newNonce } from '#platform/ids.ts';
import { expiryOf } from '../table/expiry.ts';
import { queryNewest, tableName, type Write } from '../table/table.ts';
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
  const at = Date.now();
  const key = keys.auditEntry(workspaceId, at, newNonce());
  const entry: AuditEntry = { at, actor, action, target, request_id };
  return { Put: { TableName: tableName(), Item: { ...key, ...entry, ...expiryOf('audit', at) } } };
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
