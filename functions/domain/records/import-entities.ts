// Imports entities in bulk for an administrator.
import type { Entity, EntityLine } from '#contract/entities.ts';
import { writeImport } from '#domain/records/index-home.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { quantize } from '#platform/quantize.ts';
import { newImportId } from '#store/records/line-ids.ts';
import type { Actor } from '#store/workspaces/audit.ts';
import { type ImportResult, importLines, type SavedRecord } from './import-lines.ts';
import { waitsUntil } from './import-waits.ts';
import type { LineFault } from './lines-to-records.ts';
import type { LineOrigin } from './which-record.ts';
import { type Written, writeRecords } from './write-records.ts';

type ImportedEntity = Pick<Entity, 'id' | 'name' | 'type' | 'external_uri' | 'external_id' | 'source'>;

/** How many lines created a record, changed one, or changed nothing. */
export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** The answer of an import: it counts the lines. With faults nothing was written. */
export interface ImportAnswer extends ImportCounts {
  imported: number;
  entities: ImportedEntity[];
  faults: LineFault[];
}

/** A slow model on one machine embeds a few records a second. */
const EMBEDDED_WITHIN_MS = 60_000;

/**
 * Saves each line as a record (rules.md: admin 12), or none where a line is at fault. A record that already has the
 * content of its line is not written. Everything is checked before the first write; repeating an interrupted import
 * completes it. Without an actor, as of the demo, the audit has no entry. Throws AdminError.
 */
export async function importEntities(
  workspaceId: string,
  lines: EntityLine[],
  origin?: LineOrigin,
  by?: Actor,
  { update = true, dry_run = false }: { update?: boolean | undefined; dry_run?: boolean | undefined } = {},
): Promise<ImportAnswer> {
  const workspace = await requireLivingWorkspace(workspaceId);
  requireDistinct(lines.flatMap(({ id }) => id?.toLowerCase() ?? []));
  const until = waitsUntil();
  const result = await importLines({
    workspace,
    lines: lines.map((line, index) => ({ index, line })),
    origin: origin ?? { import_id: newImportId(), offset: 0 },
    claims: false,
    updates: update,
    writes: dry_run ? 'nothing' : 'all or nothing',
    until,
    embedded_within_ms: EMBEDDED_WITHIN_MS,
    by,
    file_import_id: origin?.import_id,
    save: async (records, units) => {
      let written: Written = { applied: [], refused: new Set() };
      await writeImport(workspace.workspace_id, async () => {
        written = await writeRecords(workspace.workspace_id, 'records', units, until);
        const { applied, refused } = written;
        return {
          applied,
          changes: { records: records.filter(({ entity }) => !refused.has(entity.id)).map(inIndex) },
        };
      });
      return written;
    },
  });
  return result.faults.length > 0 ? { ...answerOf([]), faults: result.faults } : answerOf(result.outcomes);
}

function requireDistinct(ids: string[]): void {
  if (new Set(ids).size < ids.length)
    throw new AdminError('invalid_arguments', 'Two lines have the same id.');
}

function answerOf(outcomes: ImportResult['outcomes']): ImportAnswer {
  const entities = outcomes.map(({ record }) => importedEntity(record));
  return { imported: outcomes.length, ...countsOf(outcomes), entities, faults: [] };
}

/** How many lines did what. */
export function countsOf(outcomes: ImportResult['outcomes']): ImportCounts {
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0 };
  for (const { outcome } of outcomes) counts[outcome] += 1;
  return counts;
}

function inIndex({ entity, made }: SavedRecord) {
  return { entity, vector: made && quantize(made.vector), vector_of: made?.vector_of };
}

function importedEntity({ id, name, type, external_uri, external_id, source }: Entity): ImportedEntity {
  return { id, name, type, external_uri, external_id, source };
}
