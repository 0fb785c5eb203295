// Step Functions: starts the execution of a run, wakes a parked one.
import {
  ExecutionAlreadyExists,
  InvalidToken,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { RunKey } from '#contract/run-keys.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SFNClient(clientSettings('states'));

/** An execution started longer ago than this existed before the call that asked for it. */
const BEGINNING_MS = 30_000;

/**
 * Starts a named execution of a run, and reports whether it just started, was running already, or is over: Step
 * Functions never starts a second execution of one name.
 */
export async function startExecution(run: RunKey, name: string): Promise<'started' | 'running' | 'over'> {
  const input = JSON.stringify({ workspace_id: run.workspace_id, run_id: run.run_id });
  try {
    const { startDate } = await client.send(
      new StartExecutionCommand({ stateMachineArn: env('STATE_MACHINE_ARN'), name, input }),
    );
    const began = startDate?.getTime() ?? Number.NaN;
    return Date.now() - began > BEGINNING_MS ? 'running' : 'started';
  } catch (error) {
    if (error instanceof ExecutionAlreadyExists) return 'over';
    throw error;
  }
}

/** Resumes a parked execution. False when the token was used before or its execution is gone. */
export async function wake(taskToken: string, run: RunKey): Promise<boolean> {
  try {
    await client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(run) }));
    return true;
  } catch (error) {
    const gone =
      error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken;
    if (!gone) throw error;
    return false;
  }
}
