// rules.md: jobs 7, 13. Until when a job takes messages, and the order of its list.
import { expect, test } from 'vitest';
import { checkOpen } from '../../../../functions/domain/jobs/messages.ts';
import { newestFirst } from '../../../../functions/store/runs/job-list.ts';
import type { JobRecord } from '../../../../functions/store/runs/jobs.ts';
import { runRecord } from '../../../support/runs.ts';

const NOW = 1_000_000;
const key = { workspace_id: 'w', run_id: 'r', position: 0, resume: 0, attempt: 1 };
const job = (change: Partial<JobRecord> = {}): JobRecord => ({
  ...key,
  ...{ kind: 'job', source: 'scorer', entity_type: 'score', step_index: 0, status: 'open' },
  ...{ created_at: 0, deadline_at: NOW + 1, attempts: 3, tell_at: 0, pages: {}, received: 0 },
  asked: { json: '{}' },
  ...change,
});
const worked = (ms: number) =>
  runRecord({
    status: 'running',
    config: { timeout_seconds: 60 },
    work_time: { since: NOW - ms, before_ms: 0 },
  });

test('a job takes messages until its deadline or that of its run, whether the run has looked or not', () => {
  checkOpen({ job: job(), run: worked(59_999) }, NOW);
  for (const [late, run, status] of [
    [job({ deadline_at: NOW }), worked(0), 'timed_out'],
    [job(), worked(60_000), 'timed_out'],
    [job({ status: 'replaced' }), worked(60_000), 'replaced'],
  ] as const)
    expect(() => checkOpen({ job: late, run }, NOW)).toThrow(
      expect.objectContaining({ code: 'job_over', details: { status } }),
    );
});

test('jobs are in one order, newest first, and a job is not after itself', () => {
  const [old, first, second] = [
    { ...key, created_at: 1 },
    { ...key, created_at: 2 },
    { ...key, attempt: 2, created_at: 2 },
  ];
  expect([old, first, second].sort(newestFirst)).toEqual([second, first, old]);
  for (const one of [old, first, second]) expect(newestFirst(one, { ...one })).toBe(0);
});
