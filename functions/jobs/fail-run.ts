// Task FailRun: the last resort of an execution whose slices keep failing.
import * as z from 'zod';
import { ExecutionKey } from '#contract/run-keys.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { count } from '#platform/count-metrics.ts';
import { task } from './task.ts';

/** Ends the run as failed; does nothing when it has already ended. */
export const handler = task(
  ExecutionKey.extend({ error: z.string().optional() }),
  async ({ error, ...key }) => {
    count('ExecutionsFailed');
    await failRun(key, error ?? 'unknown');
  },
);
