// The import of one file: lines without id and outside names get the same ids when an interrupted import is repeated.
import { claimNoticeSoon } from '#domain/change-notices/notify-monitors.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { noticeOfImport } from '#store/monitors/change-notices.ts';
import * as fileImports from '#store/records/file-imports.ts';
import { newImportId } from '#store/records/line-ids.ts';

/** Starts the import of a file, or continues one that did not end. Throws AdminError `workspace_not_found`. */
export async function startImport(workspaceId: string, fileSha256: string): Promise<{ import_id: string }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  return { import_id: await fileImports.start(workspace_id, fileSha256, newImportId()) };
}

/**
 * Ends the import of a file, and marks the monitors that watch what it changed.
 */
export async function endImport(workspaceId: string, fileSha256: string): Promise<object> {
  const importId = await fileImports.end(workspaceId, fileSha256);
  // After a crash in between, the sweep takes up the marks.
  if (importId !== undefined) await claimNoticeSoon(noticeOfImport(workspaceId, importId));
  return {};
}
