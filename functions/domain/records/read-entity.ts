// Reading one record with its relationships (rules.md: entities 4).
import { type EntityRecord, StoredEntity } from '#contract/entities.ts';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { isUuid } from '#platform/crypto.ts';
import { openForRequest } from './records-client.ts';

/** The record with its newest relationships. Throws entity_not_found, upstream_timeout. */
export async function readEntity(workspaceId: string, id: string | undefined): Promise<EntityRecord> {
  if (!isUuid(id)) throw fail('entity_not_found');
  const found = await openForRequest(workspaceId)('recordWithLinks', {
    id: id.toLowerCase(),
    limit: limits.entity_relationships_max,
  });
  if (!found) throw fail('entity_not_found');
  const { workspace_id: _, ...entity } = StoredEntity.parse(JSON.parse(found.body));
  return { object: 'entity', ...entity, relationships: found.links };
}
