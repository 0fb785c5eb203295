// Finding records of a workspace by name (rules.md: entities).
import type { FoundEntity } from '#contract/entities.ts';
import { limits } from '#contract/limits.ts';
import { RecordsBehind, recordsTimeout } from './follow-table.ts';
import { openIndex } from './open-index.ts';

/** How long a request waits for the index of the records. */
const INDEX_BUDGET_MS = 15_000;

interface SearchQuery {
  query?: string | undefined;
  type?: string | undefined;
  limit?: number | undefined;
}

/** The records whose names have all words of the query, best first; all by name without one. Throws upstream_timeout. */
export async function searchEntities(
  workspaceId: string,
  { query: text, type, limit = limits.entities_page_default }: SearchQuery,
): Promise<FoundEntity[]> {
  try {
    const ask = await openIndex(workspaceId, INDEX_BUDGET_MS);
    const found = await ask('named', { text, type, limit });
    return found.map(({ id, name, type, external_uri }) => ({
      entity_id: id,
      entity_name: name,
      entity_type: type,
      ...(external_uri !== undefined && { external_uri }),
    }));
  } catch (error) {
    throw error instanceof RecordsBehind ? recordsTimeout(INDEX_BUDGET_MS) : error;
  }
}
