// The whole service, composed in the order data flows.
import { Aws, CfnOutput, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './constructs/acknowledge.ts';
import type { Watched } from './constructs/alarm-rules.ts';
import { Alarms } from './constructs/alarms.ts';
import { Api } from './constructs/api.ts';
import { Canary } from './constructs/canary.ts';
import { fixLogicalId } from './constructs/logical-id.ts';
import { chatOf, embeddingOf, needsModelKey } from './constructs/model-access.ts';
import { MonthlyBudget } from './constructs/monthly-budget.ts';
import { Overview } from './constructs/overview.ts';
import { queues } from './constructs/queues.ts';
import { RecordJobs } from './constructs/record-jobs.ts';
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
import type { FunctionName } from './entries.ts';
import type { Stage } from './stage.ts';

export interface ServiceStackProps extends StackProps {
  stage: Stage;
  sourceOf: (name: FunctionName) => FunctionSource;
  /** Whether functions answer their questions to records themselves. */
  answersItself?: boolean;
}

/** Alarms that roll back a canary deployment: those that a bad version rings within minutes. */
const ROLLED_BACK_BY = ['ServerErrors', 'StartErrors', 'ExecuteStepsErrors', 'FailRunErrors', 'LogIllegal'];

/** Client -> API -> functions -> table and bucket; the state machine runs runs; a queue delivers their webhooks. */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, sourceOf, answersItself = false, ...props }: ServiceStackProps,
  ) {
    super(scope, id, { ...props, terminationProtection: stage.deletion_protection });
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
    const functionProps: ServiceFunctionProps = {
      stage,
      sourceOf,
      answersItself,
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
    const stream = api.addRoutes(functionProps);
    const workflow = new Workflow(this, 'Workflow', functionProps);
    deliveries.addWorker(new Construct(this, 'Webhooks'), functionProps, traces ? [traces] : []);
    fires.addWorker(new Construct(this, 'Monitors'), functionProps);
    new RecordJobs(this, 'RecordJobs', functionProps, [compactions, audits]);
    // It has no route: only IAM grants access.
    const admin = new ServiceFunction(new Construct(this, 'AdminAccess'), 'Admin', functionProps);
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
      functionOf: functionsIn(this),
    };
    const alarms = this.#watch(watched, storage.dataKey);

    new CfnOutput(this, 'BaseUrl', { value: `${api.siteUrl}/v1` });
    new CfnOutput(this, 'SiteUrl', { value: api.siteUrl });
    new CfnOutput(this, 'StreamUrl', { value: stream.url });
    new CfnOutput(this, 'AdminFunctionName', { value: admin.functionName });
    new CfnOutput(this, 'StateMachineArn', { value: workflow.stateMachine.stateMachineArn });
    new CfnOutput(this, 'TableName', { value: storage.table.tableName });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
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
function modelKey(stack: Stack, stage: Stage): Secret | undefined {
  if (!needsModelKey([...chatOf(stage), ...embeddingOf(stage)])) return undefined;
  const secret = new Secret(stack, 'ModelApiKey', {
    description: stage.models
      ? 'API keys of the model endpoints: JSON with a field for each key_env, in place of the generated value'
      : 'API key of the model endpoint: replace the generated value',
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  fixLogicalId(secret, 'ModelApiKey');
  acknowledge(secret, { SMG4: 'The key is issued by the model provider, who alone can rotate it.' });
  return secret;
}
