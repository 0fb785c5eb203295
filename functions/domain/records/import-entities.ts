// Imports entities in bulk for an administrator.
import type { Entity, EntityLine } from '#contract/entities.ts';
import { claimNoticeSoon, watching } from '#domain/change-notices/notify-monitors.ts';
import { writeImport } from '#domain/records/index-home.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { quantize } from '#platform/quantize.ts';
import * as marks from '#store/monitors/change-notices.ts';
import * as entities from '#store/records/entity-items.ts';
import { newImportId } from '#store/records/line-ids.ts';
import { indexRecords, type RecordVector } from '#store/records/vectors.ts';
import { type Actor, auditImport } from '#store/workspaces/audit.ts';
import { embedRecords } from './embed.ts';
import { readForImport, waitsUntil } from './import-waits.ts';
import { applyLines, type LineFault, type LineOutcome } from './lines-to-records.ts';
import { hasContentOf } from './same-content.ts';
import { type LineOrigin, readCandidates } from './which-record.ts';
import { writeRecords } from './write-records.ts';

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
): Promise<ImportAnswer> {
  const workspace = await requireLivingWorkspace(workspaceId);
  const { workspace_id } = workspace;
  requireDistinct(lines.flatMap(({ id }) => id?.toLowerCase() ?? []));
  const until = waitsUntil();
  const from = origin ?? { import_id: newImportId(), offset: 0 };
  const candidates = await readForImport(lines.length, until, () =>
    readCandidates(workspace_id, lines, from),
  );
  const before = candidates.stored;
  const { outcomes, faults } = applyLines(workspace_id, lines, from, candidates);
  if (faults.length > 0) return { ...answerOf([]), faults };
  const records = new Map(outcomes.map(({ record }) => [record.id, record]));
  const changed = [...records.values()].filter((record) => !hasContentOf(before.get(record.id), record));
  const watchers = await watching(
    workspace,
    changed.map((after) => ({ before: before.get(after.id), after })),
  );
  const mark = origin ? marks.noticeOfImport(workspace_id, origin.import_id) : marks.newNotice(workspace_id);
  // Before the records: after a crash, the sweep marks for what may be written.
  if (watchers.length > 0) await marks.add(mark, watchers, Date.now());
  if (by && changed.length > 0) await auditImport(workspace_id, by, changed.length, origin?.import_id);
  await save(workspace_id, changed, before, until);
  // An import of a file marks when the file ends (rules.md: monitors 8).
  if (watchers.length > 0 && !origin) await claimNoticeSoon(mark);
  return answerOf(outcomes);
}

function requireDistinct(ids: string[]): void {
  if (new Set(ids).size < ids.length)
    throw new AdminError('invalid_arguments', 'Two lines have the same id.');
}

function answerOf(outcomes: LineOutcome[]): ImportAnswer {
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0 };
  for (const { outcome } of outcomes) counts[outcome] += 1;
  const entities = outcomes.map(({ record }) => importedEntity(record));
  return { imported: outcomes.length, ...counts, entities, faults: [] };
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
