// Candidates for a list of runs, from the narrowest stored lists that contain all of them, merged by time.
import { type InputType, type RunStatus, terminalStatuses } from '#contract/runs.ts';
import { readCounters } from '#store/money/counters.ts';
import type { ListPage, ListRange, RunListName } from '#store/runs/run-list.ts';
import * as runList from '#store/runs/run-list.ts';
import * as runs from '#store/runs/runs.ts';

export interface RunFilter {
  status?: RunStatus[] | undefined;
  input_type?: InputType | undefined;
  /** `key:value`. */
  metadata?: string | undefined;
}

/** How many entries of a list are read to find those of one input type. */
const TYPED_LOOK = 250;

/** Runs that may pass the filter, newest first, at most `limit`; `downTo` as in a page of a list. */
export async function candidates(
  workspaceId: string,
  filter: RunFilter,
  range: ListRange,
  limit: number,
): Promise<ListPage> {
  const inputType = filter.input_type;
  const look = inputType ? Math.max(limit, TYPED_LOOK) : limit;
  const pages = await Promise.all(
    listsFor(filter).map((list) =>
      list === 'in flight'
        ? inFlight(workspaceId, range)
        : runList.page(workspaceId, { ...range, limit: look, list, inputType }),
    ),
  );
  return merged(pages, limit);
}

/** Each run in flight has a slot, so the slots list them. */
function listsFor({ status, metadata }: RunFilter): (RunListName | 'in flight')[] {
  if (metadata !== undefined) return [{ pair: metadata }];
  if (!status) return ['all'];
  const ends = [...new Set(status)].filter((one) => terminalStatuses.includes(one));
  const wantsInFlight = status.some((one) => !terminalStatuses.includes(one));
  return [...ends.map((one) => ({ status: one })), ...(wantsInFlight ? (['in flight'] as const) : [])];
}

async function inFlight(workspaceId: string, { from = '', before }: ListRange): Promise<ListPage> {
  const { slots } = await readCounters(workspaceId);
  const times = await runs.timesOf(workspaceId, Object.keys(slots));
  const listed = times
    .map((run) => ({ run_id: run.id, key: runList.listKey(run) }))
    .filter(({ key }) => key >= from && (before === undefined || key < before));
  return { listed, downTo: undefined };
}

/** The first runs of several lists as one; a run may be on two of them while it ends. */
function merged(pages: ListPage[], limit: number): ListPage {
  // Below this, one of the lists has not been read.
  const downTo = pages.reduce<string | undefined>(
    (highest, page) => (page.downTo !== undefined && page.downTo > (highest ?? '') ? page.downTo : highest),
    undefined,
  );
  const byKey = new Map(pages.flatMap(({ listed }) => listed).map((one) => [one.key, one]));
  const sure = [...byKey.values()]
    .filter(({ key }) => downTo === undefined || key >= downTo)
    .sort((a, b) => (a.key < b.key ? 1 : -1));
  const listed = sure.slice(0, limit);
  return { listed, downTo: sure.length > limit ? listed.at(-1)?.key : downTo };
}
