// The audit of a workspace, newest first (rules.md: audit).
import type * as z from 'zod';
import type { AuditList } from '#contract/audit.ts';
import { limits } from '#contract/limits.ts';
import { newestPage, type PageQuery } from '#domain/runs/newest-page.ts';
import * as audit from '#store/workspaces/audit.ts';

/** A page of entries. Throws schema_validation_failed (`cursor`). */
export async function listAudit(
  workspaceId: string,
  { limit = limits.audit_page_default, cursor }: PageQuery,
): Promise<z.output<typeof AuditList>> {
  const list = { workspace_id: workspaceId, name: 'audit' } as const;
  const page = await newestPage(
    list,
    { limit, cursor },
    (most, before) => audit.page(workspaceId, most, before),
    ({ key }) => key,
  );
  return { ...page, data: page.data.map(({ entry }) => entry) };
}
