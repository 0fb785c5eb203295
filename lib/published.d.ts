import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { RunServiceProps } from './props.ts';

export type { ModelPrice, RunServiceProps, ServiceDomain, ServiceSettings } from './props.ts';

/** The run service. Below an app or a stage it makes a stack, in a stack it is a part of it. */
export declare class RunService extends Construct {
  /** The address of the API, `…/v1`. */
  readonly baseUrl: string;
  /** The address of the console and the documentation. */
  readonly siteUrl: string;
  /** Where browsers read event streams. */
  readonly streamUrl: string;
  readonly table: ITable;
  readonly stateMachine: IStateMachine;
  /** Every alarm notifies it. */
  readonly alarmTopic: ITopic;
  /** It administers workspaces and keys, and has no route. */
  readonly adminFunction: IFunction;
  /** Throws an error that names each wrong prop. */
  constructor(scope: Construct, id: string, props: RunServiceProps);
  /** Lets someone administer workspaces and keys. */
  grantAdmin(grantee: IGrantable): Grant;
}
