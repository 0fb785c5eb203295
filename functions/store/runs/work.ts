// What an execution needs to continue a run: the run, its input and plan, whether maintenance is on, the head of the
// records that its steps will ask for, what its workspace has spent today, and which models are away. One read.
import type { RunInput } from '#contract/runs.ts';
import { type EndpointStates, statesIn } from '../models/endpoints.ts';
import { headOf, type SeenHead } from '../records/record-heads.ts';
import { getItems } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { type Day, dayKeys, dayOf } from '../workspaces/day-limits.ts';
import { hasSlowReceivers, maintenanceOf, sourceNamesOf } from '../workspaces/workspaces.ts';
import { inputOf, planOf, type SavedPlan } from './inputs.ts';
import type { RunRecord } from './run-record.ts';
import { runOf } from './runs.ts';

/** What the message of the webhook has from the state of its workspace. */
export interface FirstAttempt {
  /** The time of this read, if no key of the workspace was in a grace; epoch ms. */
  unrotated_at?: number;
  /** Receivers of the workspace were slow a short time ago. */
  slow?: true;
}

export interface Work {
  run: RunRecord;
  input: RunInput;
  /** The saved plan of a query or a preset; a plan run follows its input. */
  plan: SavedPlan | undefined;
  maintenance: boolean;
  records_head: SeenHead;
  /** The names of the live sources of the workspace. */
  source_names: ReadonlySet<string>;
  first_attempt: FirstAttempt;
  /** The day's caps and costs as of this read. */
  day: Day | undefined;
  endpoints: EndpointStates;
  /** When all this was read, epoch ms. */
  read_at: number;
}

/** The work of a run and the states of these endpoints, or undefined if there is no such run. */
export async function readWork(
  workspaceId: string,
  runId: string,
  endpointNames: readonly string[],
): Promise<Work | undefined> {
  const seen_at = Date.now();
  const wanted = [
    keys.run(workspaceId, runId),
    keys.input(workspaceId, runId),
    keys.plan(workspaceId, runId),
    keys.maintenance,
    keys.recordsHead(workspaceId),
    ...dayKeys(workspaceId, seen_at),
  ];
  const items = await getItems([...wanted, ...endpointNames.map(keys.endpoint)]);
  const [run, input, plan, service, head, ...day] = wanted.map(({ pk, sk }) =>
    items.find((item) => item.pk === pk && item.sk === sk),
  );
  if (!run || !input) return undefined;
  const record = await runOf(run);
  return {
    run: record,
    input: await inputOf(input),
    plan: plan && (await planOf(plan)),
    maintenance: maintenanceOf(day[0], service),
    source_names: sourceNamesOf(day[0]),
    records_head: { head: headOf(head), seen_at },
    first_attempt: {
      ...(Number(day[0]?.grace_until ?? 0) < seen_at && { unrotated_at: seen_at }),
      ...(hasSlowReceivers(day[0], seen_at) && { slow: true }),
    },
    day: dayOf(record, seen_at, day),
    endpoints: statesIn(items, endpointNames),
    read_at: seen_at,
  };
}
