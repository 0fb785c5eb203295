// The state machine of a run, the tasks behind it, and the sweep that finds what was left behind.
import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { fixLogicalId } from './logical-id.ts';
import { logGroupProps } from './logs.ts';
import { runMachine } from './run-machine.ts';
import { ServiceFunction, type Shared } from './service-function.ts';

/** Runs by the state machine in slices; every minute the sweep looks for runs and deliveries that nothing moves. */
export class Workflow extends Construct {
  readonly stateMachine: StateMachine;
  readonly executeSteps: ServiceFunction;
  readonly sweep: ServiceFunction;

  constructor(scope: Construct, id: string, shared: Shared) {
    super(scope, id);
    this.executeSteps = new ServiceFunction(this, 'ExecuteSteps', shared);
    const parkRun = new ServiceFunction(this, 'ParkRun', shared);
    const failRun = new ServiceFunction(this, 'FailRun', shared);
    const definition = runMachine({
      executeSteps: this.executeSteps.functionArn,
      parkRun: parkRun.functionArn,
      failRun: failRun.functionArn,
    });
    this.stateMachine = new StateMachine(this, 'Runs', {
      stateMachineName: shared.stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'RunsLogs', {
          ...logGroupProps(shared.stage, shared.storage.dataKey),
          // Under this prefix the account's size limit for log resource policies does not count.
          logGroupName: `/aws/vendedlogs/states/${Aws.STACK_NAME}-runs`,
        }),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
    });
    // It has a name of its own, which a replacement would find taken.
    fixLogicalId(this.stateMachine, 'RunMachine');
    this.stateMachine.addToRolePolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [this.executeSteps, parkRun, failRun].map((fn) => fn.functionArn),
      }),
    );
    this.sweep = new ServiceFunction(this, 'Sweep', shared);
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute's sweep finds whatever this one missed.
      targets: [new LambdaFunction(this.sweep, { retryAttempts: 0 })],
    });
    acknowledge(this.stateMachine, {
      'IAM5[Resource::*]': 'Log delivery and X-Ray actions of a state machine do not take resources.',
    });
  }
}
