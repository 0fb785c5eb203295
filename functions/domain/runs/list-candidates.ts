// Which runs a list looks at: those of the narrowest lists that hold all it asks for, merged by time.
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

/** How many names of a list are looked at for those of one input type. */
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

/** A run in flight holds a slot, so the slots are the list of those. */
function listsFor({ status, metadata }: RunFilter): (RunListName | 'in flight')[] {
  if (metadata !== undefined) return [{ pair: metadata }];
  if (!status) return ['all'];
  const ends = [...new Set(status)].filter((one) => terminalStatuses.includes(one));
  const flying = status.some((one) => !terminalStatuses.includes(one));
  return [...ends.map((one) => ({ status: one })), ...(flying ? (['in flight'] as const) : [])];
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
  // Below this, one of the lists was not looked through yet.
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
