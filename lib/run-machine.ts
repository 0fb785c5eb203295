// The state machine of a run in the States Language. It carries ids only; the tasks read everything else from the store.
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

/** Every task reads from the store how far the run is, so a retry is always safe. The first matching rule decides. */
const retries = [
  {
    // No free concurrency: wait until the burst is over.
    ErrorEquals: ['Lambda.TooManyRequestsException'],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    MaxAttempts: 20,
    JitterStrategy: 'FULL',
  },
  {
    ErrorEquals: [
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
      'Lambda.Unknown',
      'Sandbox.Timedout',
      'Runtime.ExitError',
    ],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    MaxAttempts: 6,
    JitterStrategy: 'FULL',
  },
  {
    // An index of records has more to take in than a step can wait for; a compaction catches up meanwhile.
    ErrorEquals: ['RecordsBehind'],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 30,
    MaxAttempts: 14,
  },
  {
    // An error in our code: the store may have been unavailable for a moment. A step's failure never comes this way.
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 2,
    BackoffRate: 3,
    MaxAttempts: 3,
    JitterStrategy: 'FULL',
  },
];

/** The error's name is passed on, its cause is not: a cause may quote customer data. */
const toFailRun = {
  ErrorEquals: ['States.ALL'],
  Next: 'FailRun',
  Output: { ...ids, error: '{% $states.errorOutput.Error %}' },
};

/** A little more than the function's 15 minutes, so that the function ends first. */
const EXECUTE_TIMEOUT_SECONDS = 910;
/** After this time a run whose token was lost checks again, and parks again if it still has to wait. */
const PARK_TIMEOUT_SECONDS = 3600;
const FAIL_TIMEOUT_SECONDS = 60;

/** The definition: a run without a pause takes one task, one choice and the end, however many steps it has. */
export function runMachine(tasks: Tasks): object {
  return {
    Comment: 'Executes a run in slices; input {workspace_id, run_id}',
    QueryLanguage: 'JSONata',
    StartAt: 'ExecuteSteps',
    States: {
      ExecuteSteps: {
        ...lambdaTask(tasks.executeSteps, ids),
        Output: '{% $states.result.Payload %}',
        TimeoutSeconds: EXECUTE_TIMEOUT_SECONDS,
        Catch: [toFailRun],
        Next: 'WhatNext',
      },
      WhatNext: {
        Type: 'Choice',
        Choices: [
          { Condition: "{% $states.input.action = 'continue' %}", Next: 'ExecuteSteps' },
          { Condition: "{% $states.input.action = 'park' %}", Next: 'ParkRun' },
        ],
        Default: 'Ended',
      },
      ParkRun: {
        ...lambdaTask(
          tasks.parkRun,
          { ...ids, task_token: '{% $states.context.Task.Token %}' },
          '.waitForTaskToken',
        ),
        Output: ids,
        TimeoutSeconds: PARK_TIMEOUT_SECONDS,
        // A timeout here is not a failure, so it is not retried as one.
        Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 0 }, ...retries],
        Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'ExecuteSteps', Output: ids }, toFailRun],
        Next: 'ExecuteSteps',
      },
      FailRun: {
        ...lambdaTask(tasks.failRun, { ...ids, error: '{% $states.input.error %}' }),
        TimeoutSeconds: FAIL_TIMEOUT_SECONDS,
        Next: 'Failed',
      },
      Ended: { Type: 'Succeed' },
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
