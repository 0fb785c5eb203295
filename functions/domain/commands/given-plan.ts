// The plan of a request: its own, or that of its preset.
import { fail } from '#contract/errors.ts';
import type { CreateRun } from '#contract/runs.ts';
import { checkWorkItems } from '#domain/planning/check-work-items.ts';
import { dossierPlan } from '#domain/planning/dossier-plan.ts';
import { savedPlan } from '#domain/runs/saved-plan.ts';
import * as entities from '#store/records/entity-items.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';

/** The plan, and the title of its run. Throws entity_not_resolvable (rules.md: create 5), schema_validation_failed. */
export async function givenPlan(
  workspaceId: string,
  body: Exclude<CreateRun, { input_type: 'query' }>,
): Promise<{ title: string; plan: SavedPlan }> {
  if (body.input_type === 'plan') {
    await checkWorkItems(workspaceId, body.plan);
    return { title: body.plan.title, plan: savedPlan(body.plan) };
  }
  const { entity: ref } = body.params;
  const entity = await entities.resolve(workspaceId, ref);
  if (!entity) throw fail('entity_not_resolvable', { param: 'params.entity', details: { ref } });
  return { title: entity.name, plan: dossierPlan(body.params, entity) };
}
