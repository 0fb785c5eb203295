// Reading one record with its relationships (rules.md: entities 4).
import { type EntityRecord, StoredEntity } from '#contract/entities.ts';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { isUuid } from '#platform/crypto.ts';
import { openIndex } from './open-index.ts';
import { REQUEST_WAIT_MS, requestError } from './records-behind.ts';

/** The record with its newest relationships. Throws entity_not_found, upstream_timeout. */
export async function readEntity(workspaceId: string, id: string | undefined): Promise<EntityRecord> {
  if (!isUuid(id)) throw fail('entity_not_found');
  const found = await recordOf(workspaceId, id.toLowerCase());
  if (!found) throw fail('entity_not_found');
  const { workspace_id: _, ...entity } = StoredEntity.parse(JSON.parse(found.body));
  return { object: 'entity', ...entity, relationships: found.links };
}

async function recordOf(workspaceId: string, id: string) {
  try {
    const ask = await openIndex(workspaceId, REQUEST_WAIT_MS);
    return await ask('recordWithLinks', { id, limit: limits.entity_relationships_max });
  } catch (error) {
    throw requestError(error);
  }
}
