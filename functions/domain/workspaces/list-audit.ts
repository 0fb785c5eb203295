// The audit of a workspace, newest first (rules.md: audit).
import type * as z from 'zod';
import type { AuditList } from '#contract/audit.ts';
import { limits } from '#contract/limits.ts';
import { decodeCursor, encodeCursor } from '#domain/runs/list-cursor.ts';
import * as audit from '#store/workspaces/audit.ts';

/** A page of entries. Throws schema_validation_failed (`cursor`). */
export async function listAudit(
  workspaceId: string,
  { limit = limits.audit_page_default, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<z.output<typeof AuditList>> {
  const list = { workspace_id: workspaceId, name: 'audit' } as const;
  const before = cursor === undefined ? undefined : await decodeCursor(list, cursor);
  const found = await audit.page(workspaceId, limit + 1, before);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    object: 'list',
    data: shown.map(({ entry }) => entry),
    next_cursor: last ? await encodeCursor(list, last.key) : null,
    has_more: last !== undefined,
  };
}
