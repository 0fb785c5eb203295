// Turns a row of permissions.ts into policy statements and the environment variables that name their resources.
import { Aws, Fn } from 'aws-cdk-lib';
import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { ANSWERS_PREFIX, SEGMENTS_PREFIX, SNAPSHOTS_PREFIX } from '../../functions/contract/retention.ts';
import type { FunctionName } from '../entries.ts';
import type { Permissions, SecretOwner } from '../permissions.ts';
import type { Stage } from '../stage.ts';
import type { Reasons } from './acknowledge.ts';
import { bedrockAccess, chatOf, embeddingOf, isOneHost, needsModelKey } from './model-access.ts';
import { BODIES, DELIVERY_INDEX, DUE_INDEX, type Storage } from './storage.ts';

/** Resources to which functions can be granted access. */
export interface Resources {
  stage: Stage;
  storage: Storage;
  deliveries: IQueue;
  /** Undefined where no collector gets traces. */
  traces: IQueue | undefined;
  compactions: IQueue;
  audits: IQueue;
  fires: IQueue;
  /** Fixed before the state machine exists: its tasks need permissions on it, and it needs its tasks. */
  stateMachineName: string;
  /** The API key of a model endpoint; undefined when no model needs one. */
  modelKey: ISecret | undefined;
}

/** Permissions on one kind of resource, and the variables that name it. */
export interface Grant {
  statements: PolicyStatementProps[];
  variables: Record<string, string>;
  /** Why a resource ends in `*`, by the finding of the security rules. */
  wildcards?: Reasons;
}

const reading = ['kms:Decrypt', 'kms:DescribeKey'];
const writing = [...reading, 'kms:Encrypt', 'kms:GenerateDataKey'];
const actions = (service: string, names: readonly string[]) => names.map((name) => `${service}:${name}`);

/** The grants of a row, one per kind of resource. */
export function grantsOf(permissions: Permissions, resources: Resources): Grant[] {
  return [
    table(permissions, resources),
    ownStack(permissions),
    bodies(permissions, resources),
    snapshots(permissions, resources),
    segments(permissions, resources),
    answers(permissions, resources),
    records(permissions),
    dataKey(permissions, resources),
    runs(permissions, resources),
    messages(permissions.deliveries, resources.deliveries, 'DELIVERY_QUEUE_URL'),
    messages(
      permissions.traces === 'queue' ? ['SendMessage'] : undefined,
      resources.traces,
      'TRACE_QUEUE_URL',
    ),
    messages(permissions.compactions, resources.compactions, 'COMPACTION_QUEUE_URL'),
    messages(permissions.audits, resources.audits, 'AUDIT_QUEUE_URL'),
    messages(permissions.fires, resources.fires, 'FIRE_QUEUE_URL'),
    secrets(permissions, resources),
    models(permissions, resources),
    vectorIndexes(permissions, resources),
  ].filter((grant) => grant.statements.length > 0);
}

function table(row: Permissions, { storage }: Resources): Grant {
  const { table: names, marks_keys, due_index, delivery_index, erase } = row;
  const { tableArn, tableName } = storage.table;
  const statements: PolicyStatementProps[] = [];
  if (names.length > 0) statements.push({ actions: actions('dynamodb', names), resources: [tableArn] });
  if (marks_keys && !names.includes('UpdateItem'))
    statements.push({
      actions: ['dynamodb:UpdateItem'],
      resources: [tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'last_used_day'] },
      },
    });
  if (row.marks_release)
    statements.push({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['RELEASE'] } },
    });
  const counted = [...(row.counts_streams ? ['STREAMS'] : []), ...(row.counts_readers ? ['READERS'] : [])];
  for (const items of counted)
    statements.push({
      actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
      resources: [tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`WS#*#${items}#*`] } },
    });
  if (erase === 'workspace') statements.push({ actions: ['dynamodb:Scan'], resources: [tableArn] });
  const indexes = [...(due_index ? [DUE_INDEX] : []), ...(delivery_index ? [DELIVERY_INDEX] : [])];
  if (indexes.length > 0)
    statements.push({
      actions: ['dynamodb:Query'],
      resources: indexes.map((index) => `${tableArn}/index/${index}`),
    });
  return { statements, variables: { TABLE_NAME: tableName } };
}

function ownStack({ marks_release }: Permissions): Grant {
  const statement = { actions: ['cloudformation:DescribeStacks'], resources: [Aws.STACK_ID] };
  return { statements: marks_release ? [statement] : [], variables: {} };
}

function bodies({ bodies: names, erase }: Permissions, { storage }: Resources): Grant {
  const { bucket } = storage;
  const statements: PolicyStatementProps[] = [];
  if (names) statements.push({ actions: actions('s3', names), resources: [bucket.arnForObjects('*')] });
  if (erase) statements.push({ actions: ['s3:ListBucketVersions'], resources: [bucket.bucketArn] });
  return {
    statements,
    variables: { BUCKET_NAME: storage.bucket.bucketName },
    wildcards: {
      [`IAM5[Resource::<${BODIES}.Arn>/*]`]:
        'Objects have no fixed prefix: their keys begin with the workspace.',
    },
  };
}

function snapshots({ snapshots: names }: Permissions, { storage }: Resources): Grant {
  const resources = [storage.bucket.arnForObjects(`${SNAPSHOTS_PREFIX}*`)];
  return {
    statements: names ? [{ actions: actions('s3', names), resources }] : [],
    variables: { BUCKET_NAME: storage.bucket.bucketName },
    wildcards: {
      [`IAM5[Resource::<${BODIES}.Arn>/${SNAPSHOTS_PREFIX}*]`]: 'Every snapshot has keys of its own.',
    },
  };
}

function segments({ segments: shares }: Permissions, { storage }: Resources): Grant {
  const resources = [storage.bucket.arnForObjects(`${SEGMENTS_PREFIX}*`)];
  return {
    statements: shares ? [{ actions: actions('s3', ['GetObject', 'PutObject']), resources }] : [],
    variables: { BUCKET_NAME: storage.bucket.bucketName },
    wildcards: {
      [`IAM5[Resource::<${BODIES}.Arn>/${SEGMENTS_PREFIX}*]`]: 'Every second has a segment of its own.',
    },
  };
}

function answers({ answers: saves, asks_records }: Permissions, { storage }: Resources): Grant {
  const names = [...(saves ? ['PutObject'] : []), ...(asks_records ? ['GetObject'] : [])];
  const resources = [storage.bucket.arnForObjects(`${ANSWERS_PREFIX}*`)];
  return {
    statements: names.length > 0 ? [{ actions: actions('s3', names), resources }] : [],
    variables: { BUCKET_NAME: storage.bucket.bucketName },
    wildcards: {
      [`IAM5[Resource::<${BODIES}.Arn>/${ANSWERS_PREFIX}*]`]: 'Every answer has a key of its own.',
    },
  };
}

/** By the logical id: the function that answers needs the same resources as those that ask. */
function records({ asks_records }: Permissions): Grant {
  const resources = [Fn.getAtt('Records' satisfies FunctionName, 'Arn').toString()];
  return {
    statements: asks_records ? [{ actions: ['lambda:InvokeFunction'], resources }] : [],
    variables: { RECORDS_FUNCTION: Fn.ref('Records' satisfies FunctionName) },
  };
}

/** The key that encrypts stored data; usable only through the services that store it. */
function dataKey(
  { table: names, marks_keys, marks_release, bodies: objects, vectors, answers: saves }: Permissions,
  { storage }: Resources,
): Grant {
  const reads = names.length > 0 || marks_release || objects !== undefined;
  const writes =
    marks_keys ||
    marks_release ||
    saves ||
    objects?.includes('PutObject') ||
    names.some((name) => /Put|Update|Delete|Write/.test(name));
  const service = (name: string) => `${name}.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  const services = ['dynamodb', 's3', ...(vectors && storage.vectorBucket ? ['s3vectors'] : [])];
  const statement: PolicyStatementProps = {
    actions: writes ? writing : reading,
    resources: [storage.dataKey.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': services.map(service) } },
  };
  return { statements: reads ? [statement] : [], variables: {} };
}

function runs({ runs: names = [] }: Permissions, { stateMachineName }: Resources): Grant {
  const machine = `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${stateMachineName}`;
  return {
    statements: names.length > 0 ? [{ actions: actions('states', names), resources: [machine] }] : [],
    variables: { STATE_MACHINE_ARN: machine },
  };
}

function messages(names: readonly string[] | undefined, queue: IQueue | undefined, variable: string): Grant {
  if (!names || !queue) return { statements: [], variables: {} };
  return {
    statements: [{ actions: actions('sqs', names), resources: [queue.queueArn] }],
    variables: { [variable]: queue.queueUrl },
  };
}

/** The forms of the owners of sealed secrets, as `StringLike` compares them: the id of a bridge is a UUID. */
const ownerForms: Readonly<Record<SecretOwner, string>> = {
  api_key: 'key_*',
  bridge: [8, 4, 4, 4, 12].map((length) => '?'.repeat(length)).join('-'),
  source: 'source *',
};

/** A permission for the secrets of these owners alone. */
function ofOwners(action: string, owners: readonly SecretOwner[], keyArn: string): PolicyStatementProps {
  return {
    actions: [action],
    resources: [keyArn],
    conditions: { StringLike: { 'kms:EncryptionContext:owner': owners.map((owner) => ownerForms[owner]) } },
  };
}

function secrets({ service_secret, seals, unseals }: Permissions, { storage }: Resources): Grant {
  const { serviceSecret, signingKey } = storage;
  const statements: PolicyStatementProps[] = [];
  if (service_secret) {
    statements.push({ actions: ['secretsmanager:GetSecretValue'], resources: [serviceSecret.secretArn] });
  }
  if (seals) statements.push(ofOwners('kms:Encrypt', seals, signingKey.keyArn));
  if (unseals) statements.push(ofOwners('kms:Decrypt', unseals, signingKey.keyArn));
  return {
    statements,
    variables: {
      ...(service_secret && { SERVICE_SECRET_ARN: serviceSecret.secretArn }),
      ...((seals || unseals) && { SIGNING_KEY_ID: signingKey.keyId }),
    },
  };
}

function models({ model, embedding }: Permissions, { stage, modelKey }: Resources): Grant {
  const used = [...(model === 'call' ? chatOf(stage) : []), ...(embedding ? embeddingOf(stage) : [])];
  const { arns, wildcards } = bedrockAccess(used);
  const statements: PolicyStatementProps[] = [];
  if (arns.length > 0) statements.push({ actions: ['bedrock:InvokeModel'], resources: arns });
  const key = needsModelKey(used) ? modelKey : undefined;
  if (key) statements.push({ actions: ['secretsmanager:GetSecretValue'], resources: [key.secretArn] });
  const oneHost = !stage.models && isOneHost([...chatOf(stage), ...embeddingOf(stage)]);
  return {
    statements,
    variables: key
      ? { MODEL_API_KEY_SECRET_ARN: key.secretArn, ...(oneHost && { ONE_MODEL_HOST: 'true' }) }
      : {},
    wildcards,
  };
}

function vectorIndexes({ vectors: names }: Permissions, { storage }: Resources): Grant {
  const arn = storage.vectorBucket?.attrVectorBucketArn;
  if (!names || arn === undefined) return { statements: [], variables: {} };
  const onIndexes = names.filter((name) => name !== 'ListIndexes');
  const statements = [{ actions: actions('s3vectors', onIndexes), resources: [`${arn}/index/*`] }];
  if (names.includes('ListIndexes'))
    statements.push({ actions: ['s3vectors:ListIndexes'], resources: [arn] });
  return {
    statements,
    variables: { VECTOR_BUCKET_ARN: arn },
    wildcards: {
      'IAM5[Resource::<Vectors.VectorBucketArn>/index/*]': 'Each workspace has indexes of its own.',
    },
  };
}
