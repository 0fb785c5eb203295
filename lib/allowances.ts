// Turns a row of needs.ts into policy statements, and into the variables that name what they allow.
import { Aws } from 'aws-cdk-lib';
import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Reasons } from './acknowledge.ts';
import { bedrockAccess, needsModelKey } from './model-access.ts';
import type { Needs } from './needs.ts';
import type { Stage } from './stage.ts';
import { BODIES, DUE_INDEX, type Storage } from './storage.ts';

/** What functions may be given rights on. */
export interface Neighbours {
  stage: Stage;
  storage: Storage;
  deliveries: IQueue;
  /** Known before the machine exists: its tasks need rights on it, and it needs its tasks. */
  stateMachineName: string;
  /** The key of a model endpoint; absent when no model asks for one. */
  modelKey: ISecret | undefined;
}

export interface Allowance {
  statements: PolicyStatementProps[];
  variables: Record<string, string>;
  /** Why a resource ends in `*`, by the finding of the security rules. */
  wildcards?: Reasons;
}

const reading = ['kms:Decrypt', 'kms:DescribeKey'];
const writing = [...reading, 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
const actions = (service: string, names: readonly string[]) => names.map((name) => `${service}:${name}`);

/** Everything that one row allows, resource by resource; nothing for what the row leaves out. */
export function allowancesOf(need: Needs, neighbours: Neighbours): Allowance[] {
  return [
    table(need, neighbours),
    bodies(need, neighbours),
    dataKey(need, neighbours),
    runs(need, neighbours),
    deliveries(need, neighbours),
    secrets(need, neighbours),
    models(need, neighbours),
    vectorIndex(need, neighbours),
  ].filter((allowance) => allowance.statements.length > 0);
}

function table({ table: names, due_index }: Needs, { storage }: Neighbours): Allowance {
  const { tableArn, tableName } = storage.table;
  const statements: PolicyStatementProps[] = [];
  if (names.length > 0) statements.push({ actions: actions('dynamodb', names), resources: [tableArn] });
  if (due_index)
    statements.push({ actions: ['dynamodb:Query'], resources: [`${tableArn}/index/${DUE_INDEX}`] });
  return { statements, variables: { TABLE_NAME: tableName } };
}

function bodies({ bodies: names }: Needs, { storage }: Neighbours): Allowance {
  return {
    statements: names
      ? [{ actions: actions('s3', names), resources: [storage.bucket.arnForObjects('*')] }]
      : [],
    variables: { BUCKET_NAME: storage.bucket.bucketName },
    wildcards: {
      [`IAM5[Resource::<${BODIES}.Arn>/*]`]:
        'Objects have no fixed prefix: their keys begin with the workspace.',
    },
  };
}

/** The key under what is stored; usable through the services that store it only, never directly. */
function dataKey({ table: names, bodies: objects, vectors }: Needs, { storage }: Neighbours): Allowance {
  const reads = names.length > 0 || objects !== undefined;
  const writes = objects?.includes('PutObject') || names.some((name) => /Put|Update|Delete|Write/.test(name));
  const service = (name: string) => `${name}.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  const services = ['dynamodb', 's3', ...(vectors && storage.vectorIndex ? ['s3vectors'] : [])];
  const statement: PolicyStatementProps = {
    actions: writes ? writing : reading,
    resources: [storage.dataKey.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': services.map(service) } },
  };
  return { statements: reads ? [statement] : [], variables: {} };
}

const executionNames: Reasons = {
  'IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<AWS::StackName>-runs:*]':
    'Executions are named after runs, and only those of this machine are meant.',
};

function runs({ runs: names = [] }: Needs, { stateMachineName }: Neighbours): Allowance {
  const arn = (kind: string, name: string) =>
    `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:${kind}:${name}`;
  const machine = arn('stateMachine', stateMachineName);
  const onMachine = names.filter((name) => name !== 'DescribeExecution');
  const statements: PolicyStatementProps[] = [];
  if (onMachine.length > 0) statements.push({ actions: actions('states', onMachine), resources: [machine] });
  if (names.includes('DescribeExecution')) {
    statements.push({
      actions: ['states:DescribeExecution'],
      resources: [arn('execution', `${stateMachineName}:*`)],
    });
  }
  return {
    statements,
    variables: { STATE_MACHINE_ARN: machine },
    ...(names.includes('DescribeExecution') && { wildcards: executionNames }),
  };
}

function deliveries({ deliveries: names }: Needs, { deliveries: queue }: Neighbours): Allowance {
  return {
    statements: names ? [{ actions: actions('sqs', names), resources: [queue.queueArn] }] : [],
    variables: { DELIVERY_QUEUE_URL: queue.queueUrl },
  };
}

function secrets({ service_secret, signing_key }: Needs, { storage }: Neighbours): Allowance {
  const { serviceSecret, signingKey } = storage;
  const statements: PolicyStatementProps[] = [];
  if (service_secret) {
    statements.push({ actions: ['secretsmanager:GetSecretValue'], resources: [serviceSecret.secretArn] });
  }
  if (signing_key) statements.push({ actions: actions('kms', signing_key), resources: [signingKey.keyArn] });
  return {
    statements,
    variables: {
      ...(service_secret && { SERVICE_SECRET_ARN: serviceSecret.secretArn }),
      ...(signing_key && { SIGNING_KEY_ID: signingKey.keyId }),
    },
  };
}

function models({ model, embedding }: Needs, { stage, modelKey }: Neighbours): Allowance {
  const used = [model === 'call' ? stage.model : undefined, embedding ? stage.embedding_model : undefined];
  const { arns, wildcards } = bedrockAccess(used);
  const statements: PolicyStatementProps[] = [];
  if (arns.length > 0) statements.push({ actions: ['bedrock:InvokeModel'], resources: arns });
  const key = needsModelKey(used) ? modelKey : undefined;
  if (key) statements.push({ actions: ['secretsmanager:GetSecretValue'], resources: [key.secretArn] });
  return { statements, variables: key ? { MODEL_API_KEY_SECRET_ARN: key.secretArn } : {}, wildcards };
}

function vectorIndex({ vectors: names }: Needs, { storage }: Neighbours): Allowance {
  const arn = storage.vectorIndex?.attrIndexArn;
  if (!names || arn === undefined) return { statements: [], variables: {} };
  return {
    statements: [{ actions: actions('s3vectors', names), resources: [arn] }],
    variables: { VECTOR_INDEX_ARN: arn },
  };
}
