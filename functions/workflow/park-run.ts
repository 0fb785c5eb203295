// Task ParkRun: keeps the token of a paused run's execution until maintenance is over.
import * as z from 'zod';
import { RunKey } from '#contract/keys.ts';
import { parkRun } from '#domain/execution/park-run.ts';

const Task = RunKey.extend({ task_token: z.string() });

/** Stores the task token, or answers it at once when the run is no longer paused. */
export async function handler(event: unknown): Promise<void> {
  const { task_token, ...key } = Task.parse(event);
  await parkRun(key, task_token);
}
