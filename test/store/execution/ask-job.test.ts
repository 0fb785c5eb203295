// rules.md: jobs 2. A cancel that comes between the start of a fetch and its first job.
import { expect, test } from 'vitest';
import { askJob } from '#domain/execution/ask-job.ts';
import { ReadingStopped } from '#record-index/reading-limits.ts';
import * as jobs from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import type { JobSource } from '#store/workspaces/sources.ts';
import { caller, givenRun, runRecord } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();

test('a run that is canceled before its job is made asks nothing, and its slice ends at once', async () => {
  const run = await givenRun(await caller(1000), { change: { status: 'running' } });
  const lease: { run: RunRecord } = { run };
  const made: Transition[] = [];
  const asking = {
    ...{ lease, position: 0, step_index: 0, begun: false },
    async commit(decide: (present: RunRecord) => Transition) {
      if (made.length > 0) throw new Error('it asks again');
      lease.run = runRecord({ status: 'canceled', completed_at: run.created_at });
      made.push(decide(lease.run));
      return lease.run;
    },
    checkLimits: async () => undefined,
    onRetry: async () => undefined,
  };
  const source: JobSource = {
    kind: 'job',
    ...{ name: 'worker', url: 'https://93.184.216.34', description: '', entity_type: 'thing', fields: [] },
    ...{ timeout_seconds: 60, attempts: 1, workspace_id: run.workspace_id, created_at: 0 },
    ...{ sealed_secret: '', sealed_headers: '' },
  };
  const query = { query: '', limit: 10, work: { title: 'Ask', instructions: '', items: [] } };
  const asked = askJob('worker', source, query, asking, new AbortController().signal);
  await expect(asked).rejects.toThrow(ReadingStopped);
  expect(made).toEqual([{ change: {} }]);
  expect(await jobs.list({ workspace_id: run.workspace_id, run_id: run.id })).toEqual([]);
});
