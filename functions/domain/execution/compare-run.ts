// The comparison of a run that a monitor made with the monitor's last succeeded run (rules.md: monitors 9).
import type { ArtifactSummary } from '#contract/artifacts.ts';
import { ApiError } from '#contract/errors.ts';
import type { Warning } from '#contract/events.ts';
import type { ChangeCounts } from '#contract/monitors.ts';
import { openArtifact, openTable } from '#domain/artifacts/open-artifact.ts';
import { chunks } from '#platform/chunks.ts';
import { ROWS_MAX } from '#steps/item-table.ts';
import type { ArtifactDraft } from '#steps/step.ts';
import { type Compared, comparedWrite, read } from '#store/monitors/compared.ts';
import * as fires from '#store/monitors/fires.ts';
import * as monitors from '#store/monitors/monitors.ts';
import * as artifacts from '#store/runs/artifacts.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import type { Write } from '#store/table/table.ts';
import { type Rows, tableChanges } from './table-changes.ts';

export interface Comparison {
  table: ArtifactDraft;
  counts: ChangeCounts;
  warnings: Omit<Warning, 'step_index'>[];
  /**
   * Part of the commit with which the run succeeds, given its artifacts: the fire's counts, and the run as the one to
   * compare with. Fails if another run of the monitor succeeded since: the step is then tried again, and compares with
   * that one.
   */
  effects(saved: ArtifactSummary[]): Write[];
}

/** What is to be compared: a run and the artifacts of its last step. Undefined where no comparison is asked for. */
export async function compareRun(run: RunRecord, drafts: ArtifactDraft[]): Promise<Comparison | undefined> {
  const { fired_by, workspace_id } = run;
  const key = monitors.monitorOfRun(run);
  if (!key || !fired_by?.compared) return undefined;
  const { fire_id, revision } = fired_by;
  const [monitor, last, fire] = await Promise.all([
    monitors.get(workspace_id, key.monitor_id),
    read(key),
    fires.get(key, fire_id),
  ]);
  const before = last?.revision === revision ? await rowsBefore(workspace_id, last) : NO_ROWS;
  const { rows, counts } = await tableChanges(before, rowsOf(run, drafts));
  const kept = rows.slice(0, ROWS_MAX);
  const columns = ['change', 'record', 'field', 'before', 'after'];
  return {
    table: { kind: 'table', title: 'Changes', columns, rows: kept },
    counts,
    warnings: kept.length < rows.length ? [truncated(rows.length, kept.length)] : [],
    effects: (saved) => {
      const table_id = saved.find(({ kind }) => kind === 'table')?.id;
      return [
        // A run of more than a month has outlived its entry.
        ...(fire ? [fires.fireWrite(key, { ...fire, changes: counts })] : []),
        // The body of its runs may have changed since, or the monitor may be gone.
        ...(monitor?.revision === revision
          ? [comparedWrite(key, last, { run_id: run.id, table_id, revision })]
          : []),
      ];
    },
  };
}

const NO_ROWS: Rows = async function* () {};
const ROWS_AT_ONCE = 200;

/** The rows of the last succeeded run; none where it is gone or had no table. */
async function rowsBefore(workspaceId: string, { run_id, table_id }: Compared): Promise<Rows> {
  const run = await runs.get(workspaceId, run_id);
  return run && table_id !== undefined ? rowsOfArtifact(workspaceId, table_id) : NO_ROWS;
}

/** The rows of the first table of a run that is about to succeed. */
function rowsOf({ workspace_id, artifacts: saved }: RunRecord, drafts: ArtifactDraft[]): Rows {
  const first = saved.find(({ kind }) => kind === 'table');
  if (first) return rowsOfArtifact(workspace_id, first.id);
  const { rows = [], row_ids } = drafts.find((draft) => draft.kind === 'table') ?? {};
  const withIds = rows.map((row, at) => ({ row, item_id: row_ids?.[at] }));
  return async function* () {
    yield* chunks(withIds, ROWS_AT_ONCE);
  };
}

function rowsOfArtifact(workspaceId: string, id: string): Rows {
  return async function* () {
    const artifact = await openArtifact(workspaceId, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'artifact_not_found') return undefined;
      throw error;
    });
    try {
      if (artifact?.kind !== 'table') return;
      const ids = (await artifacts.rowIdsOf(workspaceId, id)).values();
      for await (const rows of (await openTable(artifact)).rows)
        yield rows.map((row) => ({ row, item_id: ids.next().value }));
    } finally {
      artifact?.close();
    }
  };
}

function truncated(rows: number, rows_kept: number): Omit<Warning, 'step_index'> {
  return {
    code: 'artifact_truncated',
    message: `The table Changes has ${rows_kept} of ${rows} rows.`,
    details: { rows, rows_kept },
  };
}
