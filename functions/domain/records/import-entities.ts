// Imports entities in bulk for an administrator.
import type { Entity, EntityLine } from '#contract/entities.ts';
import { takeUpSoon, watching } from '#domain/marks/marked-monitors.ts';
import { writeImport } from '#domain/records/index-home.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { newId } from '#platform/ids.ts';
import { quantize } from '#platform/quantize.ts';
import * as marks from '#store/monitors/marks.ts';
import * as entities from '#store/records/entities.ts';
import { indexRecords, type RecordVector } from '#store/records/vectors.ts';
import { type Actor, auditImport } from '#store/workspaces/audit.ts';
import { readForImport, waitsUntil } from './busy-table.ts';
import { hasContentOf } from './content.ts';
import { embedRecords } from './embed.ts';
import { lineId } from './file-import.ts';
import { writeRecords } from './write-records.ts';

export type ImportedEntity = Pick<Entity, 'id' | 'name' | 'type' | 'external_uri' | 'external_id' | 'source'>;

/** Where lines come from: the import of a file, and how many lines of the file come before them. */
export interface LineOrigin {
  import_id: string;
  offset: number;
}

/**
 * Saves each line as a record: a line with the `id` of a record replaces it, one without creates a record, always the
 * same one when it has the same `origin`. A record that already has the content of its line is not written. Everything
 * is checked before the first write; repeating an interrupted import completes it. Without an actor, as of the demo,
 * the audit has no entry. Throws AdminError.
 */
export async function importEntities(
  workspaceId: string,
  lines: EntityLine[],
  origin?: LineOrigin,
  by?: Actor,
): Promise<{ imported: number; entities: ImportedEntity[] }> {
  const workspace = await requireLivingWorkspace(workspaceId);
  const { workspace_id } = workspace;
  const ids = lines.map(
    ({ id }, i) => id?.toLowerCase() ?? (origin && lineId(origin.import_id, origin.offset + i)),
  );
  const known = ids.filter((id) => id !== undefined);
  if (new Set(known).size < known.length)
    throw new AdminError('invalid_arguments', 'Two lines have the same id.');
  const until = waitsUntil();
  const stored = await readForImport(lines.length, until, () => entities.getMany(workspace_id, known));
  const before = new Map(stored.map((entity) => [entity.id, entity]));
  const now = Date.now();
  const records = lines.map((line, i): Entity => {
    const id = ids[i] ?? newId();
    return { ...line, id, workspace_id, created_at: before.get(id)?.created_at ?? now, updated_at: now };
  });
  const changed = records.filter((record) => !hasContentOf(before.get(record.id), record));
  const watchers = await watching(
    workspace,
    changed.map((after) => ({ before: before.get(after.id), after })),
  );
  const mark = origin ? marks.markOfImport(workspace_id, origin.import_id) : marks.newMark(workspace_id);
  // Before the records: after a crash, the sweep marks for what may be written.
  if (watchers.length > 0) await marks.add(mark, watchers, now);
  if (by && changed.length > 0) await auditImport(workspace_id, by, changed.length, origin?.import_id);
  await save(workspace_id, changed, before, until);
  // An import of a file marks when the file ends (rules.md: monitors 8).
  if (watchers.length > 0 && !origin) await takeUpSoon(mark);
  return { imported: records.length, entities: records.map(importedEntity) };
}

/** A slow model on one machine embeds a few records a second. */
const EMBEDDED_WITHIN_MS = 60_000;

async function save(
  workspaceId: string,
  records: Entity[],
  before: Map<string, Entity>,
  until: number,
): Promise<void> {
  if (records.length === 0) return;
  const vectors = await embedRecords(records, EMBEDDED_WITHIN_MS);
  // The vector index first: a record that is in the table but not in the index is not written again, so it would stay
  // missing.
  const placed = records.flatMap((entity, i) => {
    const made = vectors[i];
    return made ? [{ entity, ...made }] : [];
  });
  await indexRecords(workspaceId, placed);
  const units = records.map((record, i) => ({
    id: record.id,
    writes: entities.entityWrites(record, vectors[i], before.get(record.id)),
    bytes: Buffer.byteLength(JSON.stringify(record)),
  }));
  await writeImport(workspaceId, async () => ({
    applied: await writeRecords(workspaceId, 'records', units, until),
    changes: { records: records.map((entity, i) => inIndex(entity, vectors[i])) },
  }));
}

function inIndex(entity: Entity, made: RecordVector | undefined) {
  return { entity, vector: made && quantize(made.vector), vector_of: made?.vector_of };
}

function importedEntity({ id, name, type, external_uri, external_id, source }: Entity): ImportedEntity {
  return { id, name, type, external_uri, external_id, source };
}
