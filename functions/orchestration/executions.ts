// Step Functions: starting the execution of a run, looking at one, waking a parked one.
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
import { env } from '#platform/env.ts';

const client = new SFNClient({});

export interface RunPlace {
  workspace_id: string;
  run_id: string;
}

/** Starts the execution of a run under a name that is used once: starting it again changes nothing. */
export async function startExecution(place: RunPlace, name: string): Promise<void> {
  const input = JSON.stringify({ workspace_id: place.workspace_id, run_id: place.run_id });
  try {
    await client.send(new StartExecutionCommand({ stateMachineArn: env('STATE_MACHINE_ARN'), name, input }));
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
  }
}

/** What is known of an execution's name: its execution goes on, is over, or never was. */
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

/** Lets a parked execution go on. A token that was used already, or whose execution is gone, is no error. */
export async function wake(taskToken: string, place: RunPlace): Promise<void> {
  try {
    await client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(place) }));
  } catch (error) {
    const gone =
      error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken;
    if (!gone) throw error;
  }
}
