// Resolves references: one result per reference, even for an unknown one (rules.md: resolve 1).
import type { EntityRef, ResolveResult } from '#contract/entities.ts';
import { errors } from '#contract/errors.ts';
import * as entities from '#store/records/entity-items.ts';

/**
 * The results in the order of the references. A reference that matches several records is not resolvable (rules.md:
 * resolve 1).
 */
export async function resolveRefs(workspaceId: string, refs: EntityRef[]): Promise<ResolveResult[]> {
  const found = await entities.resolveBriefly(workspaceId, refs);
  return refs.map((ref, i): ResolveResult => {
    const entity = found[i];
    if (!entity) {
      const code = 'entity_not_resolvable';
      return { ref, resolved: false, error: { code, message: errors[code].message } };
    }
    const { id: entity_id, name: entity_name, type: entity_type } = entity;
    return { ref, resolved: true, entity_id, entity_name, entity_type };
  });
}
