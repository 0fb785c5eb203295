// Lists of runs, newest first (rules.md: reads 1, reads 4).
import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { ListedRun, RunList } from '#contract/runs.ts';
import { hasPair } from '#store/runs/run-list.ts';
import * as runs from '#store/runs/runs.ts';
import { keys } from '#store/table/table-keys.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { candidates, type RunFilter } from './list-candidates.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';
import { toListedRun } from './run-envelope.ts';

export interface ListQuery extends RunFilter {
  /** Epoch ms, exclusive. */
  created_after?: number | undefined;
  created_before?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many runs one request reads at most to find matches; the page may then be short but not the last. */
const LOOK_MAX = 500;
/** How many runs are looked at in one read of the table. */
const READ_MAX = 25;
/** How many reports are read at once: most are short, but a page has room for few of the longest. */
const REPORTS_MAX = 5;
/** Size of a page without its entries. */
const FRAME_BYTES = 1024;

/** A page in the making. */
interface Draft {
  entries: ListedRun[];
  /** Bytes left. */
  room: number;
  /** Key of the last entry. */
  lastKey: string | undefined;
  /** Another run would not fit. */
  full: boolean;
}

const listOf = (workspace_id: string) => ({ workspace_id, name: 'runs' }) as const;

/** Where the list starts: after the cursor or before the given time, whichever is earlier. */
async function startOf(workspaceId: string, query: ListQuery): Promise<string | undefined> {
  const { cursor, created_before } = query;
  const ends = [
    ...(cursor === undefined ? [] : [await decodeCursor(listOf(workspaceId), cursor)]),
    ...(created_before === undefined ? [] : [keys.listedBefore(created_before)]),
  ];
  return ends.sort()[0];
}

/** A page of runs; shorter if entries are long. Throws schema_validation_failed (`cursor`). */
export async function listRuns(workspace: Workspace, query: ListQuery): Promise<z.output<typeof RunList>> {
  const { workspace_id } = workspace;
  const limit = query.limit ?? limits.runs_page_default;
  const atOnce = Math.min(limit + 1, READ_MAX);
  const from = query.created_after === undefined ? undefined : keys.listedBeyond(query.created_after);
  let before = await startOf(workspace_id, query);
  const draft: Draft = {
    entries: [],
    room: limits.runs_page_max_bytes - FRAME_BYTES,
    lastKey: undefined,
    full: false,
  };
  let more = true;
  for (let looked = 0; more && !draft.full && looked < LOOK_MAX; looked += atOnce) {
    const page = await candidates(workspace_id, query, { from, before }, atOnce);
    await fill(draft, limit, workspace_id, page.listed, query);
    before = page.downTo;
    more = before !== undefined;
  }
  const lastKey = draft.full ? draft.lastKey : before;
  const has_more = draft.full || more;
  return {
    object: 'list',
    data: draft.entries,
    next_cursor: has_more && lastKey !== undefined ? await encodeCursor(listOf(workspace_id), lastKey) : null,
    has_more,
  };
}

/** Adds the listed runs that pass the filter until the page is full. Reads only the reports of those that may fit. */
async function fill(
  draft: Draft,
  limit: number,
  workspaceId: string,
  listed: { run_id: string; key: string }[],
  filter: RunFilter,
): Promise<void> {
  const keyOf = new Map(listed.map(({ run_id, key }) => [run_id, key]));
  const unread = await runs.getUnread(workspaceId, [...keyOf.keys()]);
  const passing = unread.filter((run) => passes(run, filter));
  while (passing.length > 0 && !draft.full) {
    const next = passing.splice(0, Math.min(REPORTS_MAX, limit - draft.entries.length));
    const entries = (await runs.readReports(next)).map(toListedRun);
    draft.full = entries.length === 0 || entries.some((entry) => !add(draft, entry, keyOf.get(entry.id)));
  }
}

/** Whether the entry fitted; the first always does. */
function add(draft: Draft, entry: ListedRun, key: string | undefined): boolean {
  const bytes = Buffer.byteLength(JSON.stringify(entry)) + 1;
  if (bytes > draft.room && draft.entries.length > 0) return false;
  draft.room -= bytes;
  draft.entries.push(entry);
  draft.lastKey = key;
  return true;
}

function passes(run: runs.UnreadRun, { status, input_type, metadata }: RunFilter): boolean {
  return (
    (!status || status.includes(run.status)) &&
    (!input_type || input_type === run.input_type) &&
    (metadata === undefined || hasPair(run, metadata))
  );
}
