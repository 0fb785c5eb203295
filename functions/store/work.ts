// What an execution needs to go on with a run: the run, its input and plan, and whether maintenance holds it; one read.
import { RunInput } from '#contract/runs.ts';
import { type SavedPlan, SavedPlan as SavedPlanSchema } from './inputs.ts';
import { PackedItem, unpack } from './packed.ts';
import { RunRecord } from './runs.ts';
import { getItems } from './table.ts';
import { keys } from './table-keys.ts';

export interface Work {
  run: RunRecord;
  input: RunInput;
  /** The saved plan of a query or a preset; a plan run follows its input. */
  plan: SavedPlan | undefined;
  maintenance: boolean;
}

/** The work of a run, or undefined when there is no such run. */
export async function readWork(workspaceId: string, runId: string): Promise<Work | undefined> {
  const wanted = [
    keys.run(workspaceId, runId),
    keys.input(workspaceId, runId),
    keys.plan(workspaceId, runId),
    keys.workspace(workspaceId),
    keys.maintenance,
  ];
  const items = await getItems(wanted);
  const [run, input, plan, workspace, service] = wanted.map(({ pk, sk }) =>
    items.find((item) => item.pk === pk && item.sk === sk),
  );
  if (!run || !input) return undefined;
  return {
    run: RunRecord.parse(run),
    input: await unpack(PackedItem.parse(input).body, (value) => RunInput.parse(value)),
    plan: plan && (await unpack(PackedItem.parse(plan).body, (value) => SavedPlanSchema.parse(value))),
    maintenance: service?.active === true || workspace?.maintenance === true,
  };
}
