// The import of one file: lines without an id get the same ids when an interrupted import is repeated.
import { takeUpSoon } from '#domain/marks/marked-monitors.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { sha256, uuidFrom } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import { markOfImport } from '#store/monitors/marks.ts';
import * as fileImports from '#store/records/file-imports.ts';

/** The version of the id of an import whose lines spread over all ids. */
const SPREADS = 8;

/** Starts the import of a file, or continues one that did not end. Throws AdminError `workspace_not_found`. */
export async function startImport(workspaceId: string, fileSha256: string): Promise<{ import_id: string }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  const importId = uuidFrom(sha256(newId()), SPREADS);
  return { import_id: await fileImports.start(workspace_id, fileSha256, importId) };
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

/** About the lines of one transaction, so that it writes to few places of the table. */
const BLOCK_LINES = 50;
/** The first lines stay in their order, which decides among ties; one partition writes them in 20 s. */
const LINES_IN_ORDER = 10_000;

/**
 * The id of a record whose line has none. Blocks of later lines spread over all ids: where every write is at the end of
 * a partition, DynamoDB cannot divide the load.
 */
export function lineId(importId: string, line: number): string {
  const bytes = Buffer.alloc(16);
  Buffer.from(importId.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, 10);
  bytes.writeUIntBE(line, 10, 6);
  if (line >= LINES_IN_ORDER && spreads(importId))
    sha256(`${importId} ${Math.floor(line / BLOCK_LINES)}`).copy(bytes, 0, 0, 4);
  return uuidFrom(bytes);
}

/** An unfinished import of before has an id of version 4: the lines that it imports again keep their ids. */
const spreads = (importId: string): boolean => importId.charAt(14) === String(SPREADS);
