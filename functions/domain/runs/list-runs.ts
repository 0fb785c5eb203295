// Lists of runs, newest first (rules.md: reads 1, reads 4).
import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { ListedRun, RunList } from '#contract/runs.ts';
import { mapInTurns } from '#platform/turns.ts';
import { hasPair } from '#store/runs/run-list.ts';
import type { RunRecord } from '#store/runs/runs.ts';
import * as runs from '#store/runs/runs.ts';
import { keys } from '#store/table/table-keys.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { toListedRun } from './envelope.ts';
import { candidates, type RunFilter } from './list-candidates.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';

export interface ListQuery extends RunFilter {
  /** Epoch ms, exclusive. */
  created_after?: number | undefined;
  created_before?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many runs one request reads at most to find matches; the page may then be short but not the last. */
const LOOK_MAX = 500;
/** How many runs are read at once: few enough to fit in memory however long they are. */
const READ_MAX = 25;
/** Size of a page without its entries. */
const FRAME_BYTES = 1024;

interface Found {
  key: string;
  entry: ListedRun;
  bytes: number;
}

/** The first runs that a page takes: at most `limit`, at most as many bytes as a page may have, and at least one. */
function pageOf(found: Found[], limit: number): Found[] {
  let room = limits.runs_page_max_bytes - FRAME_BYTES;
  const end = found.findIndex(({ bytes }, i) => {
    room -= bytes + 1;
    return i === limit || (room < 0 && i > 0);
  });
  return end < 0 ? found : found.slice(0, end);
}

/** Where the list starts: after the cursor or before the given time, whichever is earlier. */
async function startOf(workspaceId: string, query: ListQuery): Promise<string | undefined> {
  const { cursor, created_before } = query;
  const ends = [
    ...(cursor === undefined ? [] : [await decodeCursor(workspaceId, cursor)]),
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
  const found: Found[] = [];
  let more = true;
  for (let looked = 0; more && pageOf(found, limit).length === found.length && looked < LOOK_MAX; ) {
    const page = await candidates(workspace_id, query, { from, before }, atOnce);
    found.push(...(await readListed(workspace_id, page.listed, query)));
    looked += atOnce;
    before = page.downTo;
    more = before !== undefined;
  }
  const shown = pageOf(found, limit);
  const lastKey = found.length > shown.length ? shown.at(-1)?.key : before;
  const has_more = found.length > shown.length || more;
  return {
    object: 'list',
    data: shown.map(({ entry }) => entry),
    next_cursor: has_more && lastKey !== undefined ? await encodeCursor(workspace_id, lastKey) : null,
    has_more,
  };
}

/** The entries of listed runs that pass the filter. */
async function readListed(
  workspaceId: string,
  listed: { run_id: string; key: string }[],
  filter: RunFilter,
): Promise<Found[]> {
  const keyOf = new Map(listed.map(({ run_id, key }) => [run_id, key]));
  const all = await runs.getMany(workspaceId, [...keyOf.keys()]);
  const passing = all.filter((run) => passes(run, filter));
  return mapInTurns(passing, (run) => {
    const entry = toListedRun(run);
    return { key: keyOf.get(run.id) ?? '', entry, bytes: Buffer.byteLength(JSON.stringify(entry)) };
  });
}

function passes(run: RunRecord, { status, input_type, metadata }: RunFilter): boolean {
  return (
    (!status || status.includes(run.status)) &&
    (!input_type || input_type === run.input_type) &&
    (metadata === undefined || hasPair(run, metadata))
  );
}
