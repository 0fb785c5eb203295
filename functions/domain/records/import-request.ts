// Imports the records of a request with a key (rules.md: entities 7).
import type { EntityLine } from '#contract/entities.ts';
import type { ImportEntities, ImportedEntities, LineError } from '#contract/entity-changes.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { newImportId } from '#store/records/line-ids.ts';
import type { Actor } from '#store/workspaces/audit.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { checkLine } from './checked-lines.ts';
import { countsOf } from './import-entities.ts';
import { importLines } from './import-lines.ts';
import { writeRecords } from './write-records.ts';

/** Together with a last try of the table, less than the 29 s of a request. */
const WAITS_MS = 14_000;
const EMBEDDED_WITHIN_MS = 8000;

/**
 * Saves the lines that are right and names the others; with `dry_run` it writes nothing. The same request again
 * completes one that was interrupted. Throws ServiceTrouble.
 */
export async function importRequest(
  workspace: Workspace,
  sent: unknown[],
  { update = true, dry_run = false }: Pick<ImportEntities, 'update' | 'dry_run'>,
  by: Actor,
): Promise<ImportedEntities> {
  const lines: { index: number; line: EntityLine }[] = [];
  const errors: LineError[] = [];
  for (const [index, one] of sent.entries()) {
    const checked = checkLine(one);
    if ('message' in checked) errors.push({ index, ...checked });
    else lines.push({ index, line: checked });
  }
  const until = Date.now() + WAITS_MS;
  const { outcomes, faults } = await importLines({
    workspace,
    lines,
    origin: { import_id: newImportId(), offset: 0 },
    claims: true,
    updates: update,
    writes: dry_run ? 'nothing' : 'what it can',
    until,
    embedded_within_ms: EMBEDDED_WITHIN_MS,
    by,
    file_import_id: undefined,
    save: (_, units) => writeRecords(workspace.workspace_id, 'records', units, until),
  }).catch((error: unknown) => {
    throw error instanceof AdminError ? new ServiceTrouble(error.message, error) : error;
  });
  return {
    imported: outcomes.length,
    ...countsOf(outcomes),
    errors: [...errors, ...faults].sort((a, b) => a.index - b.index),
  };
}
