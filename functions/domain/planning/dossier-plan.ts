// The plan of a dossier: gather the record and its surroundings, then write. Saved, for resume and rerun.
import type { Entity } from '#contract/entities.ts';
import type { DossierParams } from '#contract/plans.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';

/** The saved plan of a dossier on `entity`. */
export function dossierPlan(params: DossierParams, entity: Entity): SavedPlan {
  return {
    title: `Dossier: ${entity.name}`,
    steps: [
      {
        index: 0,
        kind: 'inject_context',
        title: 'Gather the record',
        params: { entities: [{ id: entity.id }] },
      },
      {
        index: 1,
        kind: 'reconstitute',
        title: 'Write the dossier',
        params: { expected_artifacts: ['text', 'entity_card'] },
      },
    ],
    dossier: { ...params, entity_id: entity.id },
  };
}
