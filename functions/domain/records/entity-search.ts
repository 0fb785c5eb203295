// Finding records of a workspace by name (rules.md: entities).
import type { FoundEntity } from '#contract/entities.ts';
import { limits } from '#contract/limits.ts';
import { openForRequest } from './records-client.ts';

interface SearchQuery {
  query?: string | undefined;
  type?: string | undefined;
  limit?: number | undefined;
}

/**
 * The records whose names have all words of the query, best first; all by name without one. Throws upstream_timeout.
 */
export async function searchEntities(
  workspaceId: string,
  { query: text, type, limit = limits.entities_page_default }: SearchQuery,
): Promise<FoundEntity[]> {
  const found = await openForRequest(workspaceId)('named', { text, type, limit });
  return found.map(({ id, name, type, external_uri }) => ({
    entity_id: id,
    entity_name: name,
    entity_type: type,
    ...(external_uri !== undefined && { external_uri }),
  }));
}
