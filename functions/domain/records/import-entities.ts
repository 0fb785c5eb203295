// Imports entities in bulk for an administrator.
import type { Entity, EntityLine } from '#contract/entities.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { newId } from '#platform/ids.ts';
import * as entities from '#store/entities.ts';
import { indexRecords } from '#store/vectors.ts';
import { embedRecords } from './embed.ts';
import { writeInOrder } from './write-in-order.ts';

export type ImportedEntity = Pick<Entity, 'id' | 'name' | 'type' | 'external_uri' | 'external_id' | 'source'>;

/**
 * Saves each line as a record: a line with the `id` of a record replaces it, one without creates a new record. Everything is checked and
 * embedded before the first write. Throws AdminError.
 */
export async function importEntities(
  workspaceId: string,
  lines: EntityLine[],
): Promise<{ imported: number; entities: ImportedEntity[] }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  const ids = lines.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]));
  if (new Set(ids).size < ids.length)
    throw new AdminError('invalid_arguments', 'Two lines have the same id.');
  const before = new Map((await entities.getMany(workspace_id, ids)).map((entity) => [entity.id, entity]));
  const now = Date.now();
  const records = lines.map((line) => toEntity(workspace_id, line, before, now));
  const vectors = await embedRecords(records);
  await writeInOrder(
    workspace_id,
    'records',
    records.map((record, i) => ({
      id: record.id,
      writes: entities.entityWrites(record, vectors[i] ?? [], before.get(record.id)),
      bytes: Buffer.byteLength(JSON.stringify(record)),
    })),
  );
  await indexRecords(records.map((entity, i) => ({ entity, vector: vectors[i] ?? [] })));
  return { imported: records.length, entities: records.map(importedEntity) };
}

function toEntity(workspace_id: string, line: EntityLine, before: Map<string, Entity>, now: number): Entity {
  const id = line.id?.toLowerCase() ?? newId();
  return { ...line, id, workspace_id, created_at: before.get(id)?.created_at ?? now, updated_at: now };
}

function importedEntity({ id, name, type, external_uri, external_id, source }: Entity): ImportedEntity {
  return { id, name, type, external_uri, external_id, source };
}
