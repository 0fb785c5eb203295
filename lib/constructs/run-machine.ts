// The state machine of a run, in Amazon States Language. It carries ids; tasks read everything else from the store.
import { Aws } from 'aws-cdk-lib';

/** ARNs of the functions behind the tasks. */
export interface Tasks {
  executeSteps: string;
  parkRun: string;
  failRun: string;
}

const ids = {
  workspace_id: '{% $states.input.workspace_id %}',
  run_id: '{% $states.input.run_id %}',
};

/** The input of every task. By the name, a retried task detects that a newer execution owns the run. */
const identity = { ...ids, execution: '{% $states.context.Execution.Name %}' };

/** Retries are always safe: a task reads the run's progress from the store. The first matching rule applies. */
const retries = [
  {
    // No free concurrency: a run waits for days rather than fail.
    ErrorEquals: ['Lambda.TooManyRequestsException'],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 300,
    MaxAttempts: 999,
    JitterStrategy: 'FULL',
  },
  {
    // An outage of an AWS service, Lambda or one that a task calls. Up to twenty minutes of it fail no run.
    ErrorEquals: [
      'ServiceTrouble',
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
    ],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 120,
    MaxAttempts: 25,
    JitterStrategy: 'FULL',
  },
  {
    // The task was killed, perhaps by its own work.
    ErrorEquals: ['Lambda.Unknown', 'Sandbox.Timedout', 'Runtime.ExitError'],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    MaxAttempts: 6,
    JitterStrategy: 'FULL',
  },
  {
    // A record index is too far behind to catch up within a step; a compaction updates it.
    ErrorEquals: ['RecordsBehind'],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 30,
    MaxAttempts: 14,
  },
  {
    // A bug. A step's failure never takes this path.
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 2,
    BackoffRate: 3,
    MaxAttempts: 3,
    JitterStrategy: 'FULL',
  },
];

/** Passes on the error's name but not its cause, which may quote customer data. */
const toFailRun = {
  ErrorEquals: ['States.ALL'],
  Next: 'FailRun',
  Output: { ...ids, error: '{% $states.errorOutput.Error %}' },
};

/**
 * A slice that ends before its run throws what is next: a Choice would bill every run a second transition (0.000025
 * USD).
 */
const RUN_CONTINUES = 'RunContinues';
const RUN_PARKS = 'RunParks';

/** Longer than the function's 15 minutes, so that the function ends first. */
const EXECUTE_TIMEOUT_SECONDS = 910;
/** Where the slice names no time: a run whose token was lost checks again after this one, and parks again. */
const PARK_TIMEOUT_SECONDS = 3600;
/**
 * How long a run waits at most: the slice says so in the message of its error, which the cause repeats in its trace.
 * Slices of before an update do not.
 */
const waitSeconds =
  `{% $contains($states.errorOutput.Cause, 'at most ') ` +
  `? $number($match($states.errorOutput.Cause, /at most ([0-9]+) s/, 1).groups[0]) : ${PARK_TIMEOUT_SECONDS} %}`;
const FAIL_TIMEOUT_SECONDS = 60;

/** The definition. A run that fits one slice takes one state, however many steps it has. */
export function runMachine(tasks: Tasks): object {
  return {
    Comment: 'Executes a run in slices; input {workspace_id, run_id}',
    QueryLanguage: 'JSONata',
    StartAt: 'ExecuteSteps',
    States: {
      ExecuteSteps: {
        ...lambdaTask(tasks.executeSteps, identity),
        Output: ids,
        TimeoutSeconds: EXECUTE_TIMEOUT_SECONDS,
        Retry: [{ ErrorEquals: [RUN_CONTINUES, RUN_PARKS], MaxAttempts: 0 }, ...retries],
        Catch: [
          { ErrorEquals: [RUN_CONTINUES], Next: 'ExecuteSteps', Output: ids },
          { ErrorEquals: [RUN_PARKS], Next: 'ParkRun', Output: { ...ids, wait_seconds: waitSeconds } },
          toFailRun,
        ],
        End: true,
      },
      ParkRun: {
        ...lambdaTask(
          tasks.parkRun,
          {
            ...identity,
            task_token: '{% $states.context.Task.Token %}',
            wait_seconds: '{% $states.input.wait_seconds %}',
          },
          '.waitForTaskToken',
        ),
        Output: ids,
        TimeoutSeconds: '{% $states.input.wait_seconds %}',
        // A timeout is expected here, so it is not retried.
        Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 0 }, ...retries],
        Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'ExecuteSteps', Output: ids }, toFailRun],
        Next: 'ExecuteSteps',
      },
      FailRun: {
        ...lambdaTask(tasks.failRun, { ...identity, error: '{% $states.input.error %}' }),
        TimeoutSeconds: FAIL_TIMEOUT_SECONDS,
        Next: 'Failed',
      },
      Failed: {
        Type: 'Fail',
        Error: 'RunFailed',
        Cause: 'A task kept failing; the run was ended as failed.',
      },
    },
  };
}

function lambdaTask(functionArn: string, payload: object, pattern = '') {
  return {
    Type: 'Task',
    Resource: `arn:${Aws.PARTITION}:states:::lambda:invoke${pattern}`,
    Arguments: { FunctionName: functionArn, Payload: payload },
    Retry: retries,
  };
}
