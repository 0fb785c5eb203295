// A function with the service's defaults: its role, its log group, and the permissions of its row.
import { Aws, Duration, Size } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import { packVariable } from '../../functions/contract/packed-variable.ts';
import type { FunctionName } from '../entries.ts';
import { type Permissions, permissionsOf } from '../permissions.ts';
import type { Stage } from '../stage.ts';
import { acknowledge } from './acknowledge.ts';
import { type Grant, grantsOf, type Resources } from './grants.ts';
import { fixLogicalId } from './logical-id.ts';
import { logGroupProps } from './logs.ts';

/** The service's name in logs and metrics: the stack's, to distinguish two stacks. */
export const SERVICE_NAME = Aws.STACK_NAME;
/** Folder of record indexes on a function's disk. */
const RECORD_INDEX_DIR = '/tmp/records';

/**
 * What a canary deployment tries first: the functions that every run passes through. The others change at once, and are
 * rolled back with these.
 */
export const CANARIES: readonly FunctionName[] = ['Start', 'ExecuteSteps'];

/** The bundle of a function, and its handler: `<file>.<export>`. */
export interface FunctionSource {
  code: Code;
  handler: string;
}

/** What every function needs. */
export interface ServiceFunctionProps extends Resources {
  sourceOf: (name: FunctionName) => FunctionSource;
  /** Whether functions answer their questions to records themselves. */
  answersItself: boolean;
  /** URL of the service without a trailing slash; error texts link to its pages. */
  siteUrl: string;
}

/** What a function needs besides. */
interface Own {
  /** The queues that invoke it. */
  consumes?: readonly IQueue[];
}

/** A function. Its logical id is its name, and it has exactly the permissions of its row in permissions.ts. */
export class ServiceFunction extends LambdaFunction {
  /** Where a deployment tries a new version first; undefined: the function changes at once. */
  readonly alias: Alias | undefined;
  /** Of this function alone; `role` is the same, closed to further policies. */
  readonly ownRole: Role;

  constructor(
    scope: Construct,
    name: FunctionName,
    props: ServiceFunctionProps,
    { consumes = [] }: Own = {},
  ) {
    const row = permissionsOf(name, props.answersItself);
    const logGroup = new LogGroup(scope, `${name}Logs`, logGroupProps(props.stage, props.storage.dataKey));
    const grants = [ownLog(logGroup), traces, ...grantsOf(row, props), ...consumes.map(messagesOf)];
    const statements = grants.flatMap((grant) => grant.statements.map((one) => new PolicyStatement(one)));
    const role = new Role(scope, `${name}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Within the role: a policy apart from it would be one resource more for each function.
      inlinePolicies: { rights: new PolicyDocument({ statements }) },
    });
    acknowledge(role, Object.assign({}, ...grants.map((grant) => grant.wildcards)));
    const concurrency = props.stage.reserved_concurrency[name];
    super(scope, name, {
      ...props.sourceOf(name),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryOf(name, row, props.stage),
      timeout: Duration.seconds(row.timeout_seconds ?? 10),
      ...(row.disk_mb && { ephemeralStorageSize: Size.mebibytes(row.disk_mb) }),
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      // Lines for each invocation's start, end and report would cost more than the service's own; where a record index
      // fills memory and disk, the report's figures are worth it.
      systemLogLevelV2: row.record_index === 'disk' ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      // Whatever else CDK would add is in the policy already.
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: {
        ...Object.assign({}, ...grants.map((grant) => grant.variables)),
        ...settings(row, props),
      },
    });
    this.ownRole = role;
    fixLogicalId(this, name);
    const isCanary = props.stage.canary_minutes !== undefined && CANARIES.includes(name);
    this.alias = isCanary
      ? new Alias(this, 'Live', { aliasName: 'live', version: this.currentVersion })
      : undefined;
  }

  /** What callers invoke. */
  get called(): IFunction {
    return this.alias ?? this;
  }
}

/** Memory also sets the share of a processor. */
function memoryOf(name: FunctionName, row: Permissions, stage: Stage): number {
  if (name === 'ExecuteSteps') return stage.step_memory_mb;
  return name === 'Records' ? stage.index_memory_mb : (row.memory_mb ?? 512);
}

/** Finds functions by name below `scope`. The returned function throws for an unknown name. */
export function functionsIn(scope: IConstruct): (name: FunctionName) => ServiceFunction {
  const made = scope.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  const byName = new Map(made.map((one) => [one.node.id, one]));
  return (name) => {
    const found = byName.get(name);
    if (!found) throw new Error(`there is no function ${name}`);
    return found;
  };
}

const ownLog = ({ logGroupArn }: LogGroup): Grant => ({
  statements: [{ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] }],
  variables: {},
});

const traces: Grant = {
  statements: [{ actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] }],
  variables: {},
  wildcards: { 'IAM5[Resource::*]': 'The two X-Ray actions do not take resources.' },
};

const messagesOf = ({ queueArn }: IQueue): Grant => ({
  statements: [
    {
      actions: [
        'ReceiveMessage',
        'DeleteMessage',
        'ChangeMessageVisibility',
        'GetQueueAttributes',
        'GetQueueUrl',
      ].map((name) => `sqs:${name}`),
      resources: [queueArn],
    },
  ],
  variables: {},
});

/** A function that counts calls knows both models: a run is refused if one of them has no price. */
function modelSettings(row: Permissions, { model, embedding_model, prices, models }: Stage) {
  if (models) return { MODELS: packVariable(models) };
  const counted = row.model && { MODEL: model, PRICES: prices && JSON.stringify(prices) };
  return { ...counted, EMBEDDING_MODEL: embedding_model };
}

/** Variables from the stage's settings rather than from a grant. */
function settings(row: Permissions, { stage, siteUrl }: ServiceFunctionProps): Record<string, string> {
  const all: Record<string, string | number | undefined> = {
    POWERTOOLS_SERVICE_NAME: SERVICE_NAME,
    POWERTOOLS_LOG_LEVEL: 'INFO',
    // Stacks in the log name lines of the source.
    NODE_OPTIONS: '--enable-source-maps',
    SITE_URL: siteUrl,
    ...(row.table.length > 0 && { RETAIN_DAYS: stage.retain_days }),
    ...(row.traces === 'export' && { OTLP_ENDPOINT: stage.otlp_endpoint }),
    ...((row.model || row.embedding) && modelSettings(row, stage)),
    ...(row.record_index === 'disk' && { RECORD_INDEX_DIR, RECORD_INDEX_DISK_MB: row.disk_mb }),
    ...(row.slices && {
      BASE_URL: `${siteUrl}/v1`,
      SLICE_MS: stage.slice_seconds * 1000,
      STEPS_PER_SLICE: stage.steps_per_slice,
      MAX_PARALLEL_CALLS: stage.max_parallel_calls,
      MODEL_WAIT_SECONDS: stage.model_wait_seconds,
    }),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
