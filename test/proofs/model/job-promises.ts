// What the model of jobs promises.
import type { Bounds, Model } from './promises.ts';

const jobs = (MaxFaults: number, MaxLates: number, MaxRepeats: number, MaxResumes: number): Bounds => ({
  // Without a fault no two slices are at work.
  ...{ Attempts: 2, MaxTasks: 1 + MaxFaults, MaxFaults, MaxLates, MaxRepeats, MaxResumes },
});

/** One fetch that asks a worker. */
export const job: Model = {
  name: 'Job',
  least: jobs(0, 0, 0, 0),
  searches: [
    { checks: 'safety', bounds: jobs(1, 1, 0, 0) },
    { checks: 'safety', bounds: jobs(0, 1, 1, 0) },
    { checks: 'safety', bounds: { ...jobs(0, 1, 0, 1), Attempts: 1 } },
    { checks: 'liveness', bounds: jobs(1, 0, 0, 0) },
    { checks: 'liveness', bounds: jobs(0, 1, 0, 0) },
  ],
  promises: [
    {
      name: 'WaitsForTheOpenJob',
      kind: 'always',
      rule: 'rules.md: jobs 11',
      file: 'functions/domain/execution/ask-job.ts',
      without: [
        { protection: 'job in the commit' },
        { protection: 'next in the commit' },
        { protection: 'replaced in the commit', bounds: jobs(0, 1, 0, 0) },
        // A commit without a reply is made again.
        { protection: 'id follows', bounds: jobs(1, 0, 0, 0) },
      ],
    },
    {
      name: 'OneResult',
      kind: 'always',
      rule: 'rules.md: jobs 10',
      file: 'functions/domain/execution/ask-job.ts',
      // A resume takes what a job of before has brought.
      without: [{ protection: 'completed one taken', bounds: jobs(0, 1, 0, 1) }],
    },
    {
      name: 'UsageCountsOnce',
      kind: 'always',
      rule: 'rules.md: jobs 8',
      file: 'functions/domain/jobs/messages.ts',
      without: [{ protection: 'first one holds', bounds: jobs(0, 0, 1, 0) }],
    },
    {
      name: 'EveryUsageCounts',
      kind: 'always',
      rule: 'rules.md: jobs 8',
      file: 'functions/domain/jobs/messages.ts',
      without: [{ protection: 'usage in the commit' }],
    },
    {
      name: 'AttemptsAreBounded',
      kind: 'always',
      rule: 'rules.md: jobs 9',
      file: 'functions/domain/jobs/attempts.ts',
      without: [{ protection: 'last attempt' }],
    },
    {
      name: 'AnswersWakeTheRun',
      kind: 'always',
      rule: 'rules.md: jobs 6',
      file: 'functions/domain/execution/park-run.ts',
      without: [
        { protection: 'version' },
        { protection: 'waits still' },
        { protection: 'for what was told' },
      ],
    },
    {
      name: 'ResumesAskAgain',
      kind: 'always',
      rule: 'rules.md: jobs 10',
      file: 'functions/contract/run-keys.ts',
      without: [{ protection: 'resume in the id', bounds: jobs(0, 0, 0, 1) }],
    },
    {
      name: 'OverIsOver',
      kind: 'no action',
      rule: 'rules.md: jobs 7',
      file: 'functions/store/runs/jobs.ts',
      without: [{ protection: 'open only', bounds: jobs(0, 1, 0, 0) }],
    },
    {
      name: 'NoResultAfterItsTime',
      kind: 'no action',
      rule: 'rules.md: jobs 7',
      file: 'functions/domain/jobs/messages.ts',
      without: [{ protection: 'deadline asked', bounds: jobs(0, 1, 0, 0) }],
    },
    {
      name: 'NoResultAfterTheEnd',
      kind: 'no action',
      rule: 'rules.md: jobs 7',
      file: 'functions/domain/runs/transitions.ts',
      without: [{ protection: 'closed with the run' }],
    },
    {
      name: 'EveryRunEnds',
      kind: 'in the end',
      rule: 'rules.md: jobs 9',
      file: 'functions/store/runs/next-sweep.ts',
      without: [
        { protection: 'told again', bounds: jobs(1, 0, 0, 0) },
        // The execution is gone, and then its slice dies.
        { protection: 'untold ones due', bounds: { ...jobs(2, 0, 0, 0), MaxTasks: 2 } },
        { protection: 'due soon', bounds: jobs(1, 0, 0, 0) },
        { protection: 'late ones end', bounds: jobs(1, 0, 0, 0) },
        { protection: 'sweep', bounds: jobs(1, 0, 0, 0) },
      ],
    },
  ],
};
