// Resolves references: one answer per reference, also for an unknown one (rules.md: resolve 1).
import type { EntityRef, ResolveResult } from '#contract/entities.ts';
import { errors } from '#contract/errors.ts';
import * as entities from '#store/entities.ts';

/** The results in the order of the references. A reference that matches several records is not resolvable (rules.md: resolve 1). */
export async function resolveRefs(workspaceId: string, refs: EntityRef[]): Promise<ResolveResult[]> {
  return Promise.all(
    refs.map(async (ref): Promise<ResolveResult> => {
      const entity = await entities.resolve(workspaceId, ref);
      if (!entity) {
        const code = 'entity_not_resolvable';
        return { ref, resolved: false, error: { code, message: errors[code].message } };
      }
      return {
        ref,
        resolved: true,
        entity_id: entity.id,
        entity_name: entity.name,
        entity_type: entity.type,
      };
    }),
  );
}
