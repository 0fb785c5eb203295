// The import of one file: it gives lines without an id the same ids when the file is imported again after an interruption.
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { uuidFrom } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import * as fileImports from '#store/records/file-imports.ts';

/** Begins the import of a file, or goes on with one that did not end. Throws AdminError `workspace_not_found`. */
export async function startImport(workspaceId: string, fileSha256: string): Promise<{ import_id: string }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  return { import_id: await fileImports.start(workspace_id, fileSha256, newId()) };
}

/** Ends the import of a file: from now on its lines without an id make new records. */
export async function endImport(workspaceId: string, fileSha256: string): Promise<object> {
  await fileImports.end(workspaceId, fileSha256);
  return {};
}

/** Id of the record of a line without an id. Lines that follow each other have ids that do, so that the table writes them side by side. */
export function lineId(importId: string, line: number): string {
  const bytes = Buffer.alloc(16);
  Buffer.from(importId.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, 10);
  bytes.writeUIntBE(line, 10, 6);
  return uuidFrom(bytes);
}
