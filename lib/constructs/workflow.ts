// The state machine of a run, its tasks, and the sweep that finds stalled runs and deliveries.
import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { fixLogicalId } from './logical-id.ts';
import { logGroupProps } from './logs.ts';
import { runMachine } from './run-machine.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** The state machine executes runs in slices. Every minute the sweep looks for stalled runs and deliveries. */
export class Workflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const executeSteps = new ServiceFunction(this, 'ExecuteSteps', props);
    const parkRun = new ServiceFunction(this, 'ParkRun', props);
    const failRun = new ServiceFunction(this, 'FailRun', props);
    const definition = runMachine({
      executeSteps: executeSteps.called.functionArn,
      parkRun: parkRun.functionArn,
      failRun: failRun.functionArn,
    });
    const role = new Role(this, 'RunsRole', { assumedBy: machinesOfThisAccount() });
    this.stateMachine = new StateMachine(this, 'Runs', {
      role,
      stateMachineName: props.stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'RunsLogs', {
          ...logGroupProps(props.stage, props.storage.dataKey),
          // With this prefix, the account's size limit for log resource policies does not apply.
          logGroupName: `/aws/vendedlogs/states/${Aws.STACK_NAME}-runs`,
        }),
        // Executions keep their history for 90 days anyway.
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    });
    // A replacement would fail: the machine's name is fixed and taken.
    fixLogicalId(this.stateMachine, 'RunMachine');
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        // Executions in progress have the definition with which they started: it may call the function itself.
        resources: [executeSteps.called, executeSteps, parkRun, failRun].map((fn) => fn.functionArn),
      }),
    );
    const sweep = new ServiceFunction(this, 'Sweep', props);
    sweep.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next sweep finds what this one missed.
      targets: [new LambdaFunction(sweep, { retryAttempts: 0 })],
    });
    acknowledge(this.stateMachine, {
      SF1: 'Only failures are logged: the other events of an execution, which its history keeps, would cost more than the rest of its logs.',
    });
    acknowledge(role, {
      'IAM5[Resource::*]': 'Log delivery and X-Ray actions of a state machine do not take resources.',
    });
  }
}

/** Step Functions, for state machines of this account and region only. */
function machinesOfThisAccount(): ServicePrincipal {
  return new ServicePrincipal('states.amazonaws.com', {
    conditions: {
      StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
      ArnLike: {
        'aws:SourceArn': `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:*`,
      },
    },
  });
}
