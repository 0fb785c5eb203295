// The whole service, composed in the order data flows.
import { Aws, CfnOutput, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledge } from './constructs/acknowledge.ts';
import type { Watched } from './constructs/alarm-rules.ts';
import { Alarms } from './constructs/alarms.ts';
import { Api } from './constructs/api.ts';
import { ApiDomain } from './constructs/api-domain.ts';
import { Canary } from './constructs/canary.ts';
import { fixLogicalId } from './constructs/logical-id.ts';
import { chatOf, embeddingOf, needsModelKey } from './constructs/model-access.ts';
import { MonthlyBudget } from './constructs/monthly-budget.ts';
import { Overview } from './constructs/overview.ts';
import { queues } from './constructs/queues.ts';
import { RecordJobs } from './constructs/record-jobs.ts';
import { ReleaseCheck } from './constructs/release-check.ts';
import {
  CANARIES,
  type FunctionSource,
  functionsIn,
  ServiceFunction,
  type ServiceFunctionProps,
} from './constructs/service-function.ts';
import { Storage } from './constructs/storage.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import { Workflow } from './constructs/workflow.ts';
import { type FunctionName, functionNames } from './entries.ts';
import { setFeatureFlags } from './feature-flags.ts';
import type { RunServiceProps } from './props.ts';
import { stageOf } from './read-props.ts';
import { type Stage, WrongSettings } from './stage.ts';

/** How the functions are built. */
export interface FunctionBuild {
  sourceOf: (name: FunctionName) => FunctionSource;
  /** Whether functions answer their questions to records themselves. */
  answersItself?: boolean;
  /** The version of the release that they are of. */
  release: string;
}

/** Alarms that roll back a canary deployment: those that a bad version rings within minutes. */
const ROLLED_BACK_BY = ['ServerErrors', 'StartErrors', 'ExecuteStepsErrors', 'FailRunErrors', 'LogIllegal'];

/**
 * Client -> API -> functions -> table and bucket; the state machine runs runs; a queue delivers their webhooks. Below
 * an app or a stage it makes a stack, in a stack it is a part of it.
 */
export class RunService extends Construct {
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

  /** Throws WrongSettings, which names each wrong prop. */
  constructor(scope: Construct, id: string, props: RunServiceProps, build: FunctionBuild) {
    const home = homeOf(scope, id, props);
    super(home.scope, home.id);
    const { stage } = home;
    setFeatureFlags(this);
    // Costs in the bill are divided by these.
    Tags.of(this).add('service', 'run-service');
    Tags.of(this).add('stage', stage.stack);
    const storage = new Storage(this, 'Storage', stage);
    const deliveries = new WorkQueue(this, 'Deliveries', queues.Deliveries);
    // Without a collector there is no idle queue.
    const traces =
      stage.otlp_endpoint === undefined ? undefined : new WorkQueue(this, 'Traces', queues.Traces);
    const compactions = new WorkQueue(this, 'Compactions', queues.Compactions);
    const audits = new WorkQueue(this, 'Audits', queues.Audits);
    const fires = new WorkQueue(this, 'Fires', queues.Fires);
    const api = new Api(this, 'Api', stage, storage.dataKey);
    if (props.domain) new ApiDomain(this, 'Domain', api.rest, props.domain);
    const functionProps: ServiceFunctionProps = {
      stage,
      sourceOf: build.sourceOf,
      answersItself: build.answersItself ?? false,
      storage,
      deliveries: deliveries.queue,
      traces: traces?.queue,
      compactions: compactions.queue,
      audits: audits.queue,
      fires: fires.queue,
      siteUrl: api.siteUrl,
      stateMachineName: `${Aws.STACK_NAME}-runs`,
      modelKey: modelKey(this, stage),
    };
    const release = new ReleaseCheck(this, 'ReleaseCheck', functionProps, build.release);
    const stream = api.addRoutes(functionProps);
    const workflow = new Workflow(this, 'Workflow', functionProps);
    deliveries.addWorker(new Construct(this, 'Webhooks'), functionProps, traces ? [traces] : []);
    fires.addWorker(new Construct(this, 'Monitors'), functionProps);
    new RecordJobs(this, 'RecordJobs', functionProps, [compactions, audits]);
    // It has no route: only IAM grants access.
    const admin = new ServiceFunction(new Construct(this, 'AdminAccess'), 'Admin', functionProps);
    const functionOf = functionsIn(this);
    const others = functionNames.filter((name) => name !== 'CheckRelease');
    release.comesBefore(others.map(functionOf));
    const watched: Watched = {
      stage,
      api: api.rest,
      table: storage.table,
      stateMachine: workflow.stateMachine,
      deliveries,
      traces,
      compactions,
      audits,
      fires,
      functionOf,
    };
    const alarms = this.#watch(watched, storage.dataKey);

    this.baseUrl = `${api.siteUrl}/v1`;
    this.siteUrl = api.siteUrl;
    this.streamUrl = stream.url;
    this.table = storage.table;
    this.stateMachine = workflow.stateMachine;
    this.alarmTopic = alarms.topic;
    this.adminFunction = admin;
    this.#output(build.release);
  }

  /** Lets someone administer workspaces and keys. */
  grantAdmin(grantee: IGrantable): Grant {
    return this.adminFunction.grantInvoke(grantee);
  }

  #output(release: string): void {
    const outputs = {
      // `npm run deploy` refuses an earlier release by it, before CloudFormation begins.
      Release: release,
      BaseUrl: this.baseUrl,
      SiteUrl: this.siteUrl,
      StreamUrl: this.streamUrl,
      AdminFunctionName: this.adminFunction.functionName,
      StateMachineArn: this.stateMachine.stateMachineArn,
      TableName: this.table.tableName,
      AlarmTopicArn: this.alarmTopic.topicArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** Alarms, an overview, and what the stage asks for besides. */
  #watch(watched: Watched, dataKey: Key): Alarms {
    const { stage } = watched;
    const alarms = new Alarms(this, 'Alarms', watched, dataKey);
    if (stage.monthly_budget_usd !== undefined)
      new MonthlyBudget(this, 'MonthlyBudget', stage.monthly_budget_usd, alarms.topic, dataKey);
    new Overview(this, 'Overview', watched);
    if (stage.canary_minutes !== undefined)
      new Canary(this, 'Canary', {
        minutes: stage.canary_minutes,
        aliases: CANARIES.flatMap((name) => watched.functionOf(name).alias ?? []),
        alarms: alarms.of(ROLLED_BACK_BY),
      });
    return alarms;
  }
}

/** The secret for the API keys of endpoints, to be set after the first deployment; undefined when none has one. */
function modelKey(scope: Construct, stage: Stage): Secret | undefined {
  if (!needsModelKey([...chatOf(stage), ...embeddingOf(stage)])) return undefined;
  const secret = new Secret(scope, 'ModelApiKey', {
    description: stage.models
      ? 'API keys of the model endpoints: JSON with a field for each key_env, in place of the generated value'
      : 'API key of the model endpoint: replace the generated value',
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  fixLogicalId(secret, 'ModelApiKey');
  acknowledge(secret, { SMG4: 'The key is issued by the model provider, who alone can rotate it.' });
  return secret;
}

/** Where the construct goes, and its stage. A stack that it makes has its id, and then it adds nothing to names. */
function homeOf(scope: Construct, id: string, props: RunServiceProps) {
  const { env, description, synthesizer } = props;
  const stack = scope.node.scopes.find((one) => Stack.isStack(one));
  if (stack) {
    const stage = stageOf(Stack.of(stack).stackName, props, true);
    if (stack.node.findAll().some((one) => one instanceof RunService))
      throw new WrongSettings(
        `${stack.node.path} has a RunService: two in one stack would exceed its 500 resources. Give each a stack`,
      );
    return { scope, id, stage };
  }
  const stage = stageOf(id, props, false);
  const own = new Stack(scope, id, {
    ...(env && { env }),
    ...(description !== undefined && { description }),
    ...(synthesizer && { synthesizer }),
    terminationProtection: stage.deletion_protection,
  });
  setFeatureFlags(own);
  return { scope: own, id: 'Default', stage };
}
