// Items of earlier steps go only to workers and people (rules.md: jobs 3).
import type { Plan } from '#contract/plans.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import * as sources from '#store/workspaces/sources.ts';

/** Throws schema_validation_failed for a fetch of another source that names steps whose items go with it. */
export async function checkWorkItems(workspaceId: string, { steps }: Plan): Promise<void> {
  await Promise.all(
    steps.map(async (step, position) => {
      if (step.kind !== 'fetch' || step.params?.context_step_ids === undefined) return;
      const { source: name = 'entities' } = step.params;
      const source = await sources.get(workspaceId, name);
      if (source && !sources.isPaged(source)) return;
      const param = `plan.steps.${position}.params.context_step_ids`;
      const message = `Only a source of kind job or person takes items of earlier steps; ${name} is none.`;
      throw wrongParam(param, 'a source of kind job or person', name, message);
    }),
  );
}
