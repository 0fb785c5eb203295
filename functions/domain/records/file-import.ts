// The import of one file: lines without an id get the same ids when an interrupted import is repeated.
import { takeUpSoon } from '#domain/marks/marked-monitors.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { uuidFrom } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import { markOfImport } from '#store/monitors/marks.ts';
import * as fileImports from '#store/records/file-imports.ts';

/** Starts the import of a file, or continues one that did not end. Throws AdminError `workspace_not_found`. */
export async function startImport(workspaceId: string, fileSha256: string): Promise<{ import_id: string }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  return { import_id: await fileImports.start(workspace_id, fileSha256, newId()) };
}

/**
 * Ends the import of a file, and marks the monitors that watch what it changed. Importing it again makes new records of
 * its lines without an id.
 */
export async function endImport(workspaceId: string, fileSha256: string): Promise<object> {
  const importId = await fileImports.end(workspaceId, fileSha256);
  // After a crash in between, the sweep takes up the marks.
  if (importId !== undefined) await takeUpSoon(markOfImport(workspaceId, importId));
  return {};
}

/**
 * The id of a record whose line has none. Consecutive lines have consecutive ids, so that the table stores them
 * together.
 */
export function lineId(importId: string, line: number): string {
  const bytes = Buffer.alloc(16);
  Buffer.from(importId.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, 10);
  bytes.writeUIntBE(line, 10, 6);
  return uuidFrom(bytes);
}
