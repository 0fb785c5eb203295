// The model calls that a run keeps, in pages (rules.md: calls).

import { limits } from '#contract/limits.ts';
import type { SavedCallList } from '#contract/saved-calls.ts';
import { savedCalls } from '#store/runs/saved-calls.ts';
import { findRun } from './find-run.ts';
import { decodeCursor, encodeCursor, type PagedList } from './list-cursor.ts';
import type { PageQuery } from './newest-page.ts';

/** The page after the cursor, oldest first in each step. Throws run_not_found, schema_validation_failed (`cursor`). */
export async function listCalls(
  workspaceId: string,
  runId: string | undefined,
  { limit = limits.calls_page_default, cursor, step_index }: PageQuery & { step_index?: number | undefined },
): Promise<SavedCallList> {
  const { id } = await findRun(workspaceId, runId);
  const list: PagedList = { workspace_id: workspaceId, name: `calls|${id}|${step_index ?? ''}` };
  const after = cursor === undefined ? undefined : await decodeCursor(list, cursor);
  const { calls, last } = await savedCalls(
    { workspace_id: workspaceId, run_id: id },
    { limit, after, step_index },
  );
  const next_cursor = last === undefined ? null : await encodeCursor(list, last);
  return { object: 'list', data: calls, next_cursor, has_more: last !== undefined };
}
