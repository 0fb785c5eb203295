// Task FailRun: the last resort of an execution whose slices keep failing.
import * as z from 'zod';
import { RunKey } from '#contract/keys.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { count } from '#platform/metrics.ts';

const Task = RunKey.extend({ error: z.string().optional() });

/** Ends the run as failed; does nothing when it has already ended. */
export async function handler(event: unknown): Promise<void> {
  const { error, ...key } = Task.parse(event);
  count('ExecutionsFailed');
  await failRun(key, error ?? 'unknown');
}
