// Step Functions: starts the execution of a run, reads its state, wakes a parked one.
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  InvalidToken,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { RunKey } from '#contract/keys.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SFNClient(clientSettings);

/** Starts the execution of a run under a name. A second start under the same name does nothing. */
export async function startExecution(run: RunKey, name: string): Promise<void> {
  const input = JSON.stringify({ workspace_id: run.workspace_id, run_id: run.run_id });
  try {
    await client.send(new StartExecutionCommand({ stateMachineArn: env('STATE_MACHINE_ARN'), name, input }));
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
  }
}

/** Whether the execution of a name is running, is over or was never started. */
export async function executionState(name: string): Promise<'running' | 'over' | 'none'> {
  const executionArn = `${env('STATE_MACHINE_ARN').replace(':stateMachine:', ':execution:')}:${name}`;
  try {
    const { status } = await client.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'RUNNING' ? 'running' : 'over';
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return 'none';
    throw error;
  }
}

/** Lets a parked execution continue. Does nothing when the token was used before or its execution is gone. */
export async function wake(taskToken: string, run: RunKey): Promise<void> {
  try {
    await client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(run) }));
  } catch (error) {
    const gone =
      error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken;
    if (!gone) throw error;
  }
}
