// Task ParkRun: keeps the token of the execution of a run that waits.
import * as z from 'zod';
import { ExecutionKey } from '#contract/run-keys.ts';
import { parkRun } from '#domain/execution/park-run.ts';
import { task } from './task.ts';

/** Stores the task token, or answers it at once if the wait is over. */
export const handler = task(
  ExecutionKey.extend({ task_token: z.string(), wait_seconds: z.number().optional() }),
  ({ task_token, wait_seconds, ...key }) => parkRun(key, task_token, wait_seconds),
);
