// Who may do what: the rights of every function, one by one, so that a changed right is a visible line here.
import { describe, expect, test } from 'vitest';
import { type FunctionName, functionNames } from '../../lib/entries.ts';
import { fields, functionOf, list, ofType, synthesize, text } from '../support/synthesize.ts';
import { rightsOf, roleOf, statementsOf } from './policies.ts';

const template = synthesize();

const read = 'dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query';
const everyItem =
  'dynamodb:BatchGetItem dynamodb:ConditionCheckItem dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem';
const readPutUpdate =
  'dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem';
const getPutUpdate = 'dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem';
const readPutUpdateDelete =
  'dynamodb:BatchGetItem dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem';
const keyForReading = 'kms:Decrypt kms:DescribeKey';
const keyForWriting = 'kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey';
const secret = 'secretsmanager:GetSecretValue';

const states = (kind: string) => `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:${kind}`;
const names: Record<string, string> = {
  '<Table.Arn>': 'table',
  '<Table.Arn>/index/due': 'due',
  '<Bodies.Arn>': 'bucket',
  '<Bodies.Arn>/*': 'bodies',
  '<Bodies.Arn>/record-snapshots/*': 'snapshots',
  '<DataKey.Arn>': 'dataKey',
  '<SigningKey.Arn>': 'signingKey',
  '<ServiceSecret>': 'secret',
  '<DeliveryQueue.Arn>': 'deliveries',
  '<RecordQueue.Arn>': 'recordJobs',
  [states('stateMachine:<AWS::StackName>-runs')]: 'runs',
};

const keyed = { table: read, dataKey: keyForReading, secret };
const keyedWithBodies = { ...keyed, bodies: 's3:GetObject' };
const starter = {
  table: everyItem,
  bodies: 's3:GetObject s3:PutObject',
  dataKey: keyForWriting,
  runs: 'states:StartExecution',
  secret,
};

const expected: Record<FunctionName, Record<string, string>> = {
  GetMe: keyed,
  CreateRun: starter,
  ResumeRun: starter,
  RerunRun: starter,
  ListRuns: keyedWithBodies,
  GetRun: keyedWithBodies,
  CancelRun: {
    ...keyed,
    bodies: 's3:GetObject s3:PutObject',
    table: readPutUpdateDelete,
    dataKey: keyForWriting,
    runs: 'states:SendTaskSuccess',
    deliveries: 'sqs:SendMessage',
  },
  ListEvents: keyedWithBodies,
  CreateEventToken: keyedWithBodies,
  StreamEvents: keyedWithBodies,
  ListDeliveries: keyedWithBodies,
  RedeliverWebhook: {
    ...keyedWithBodies,
    table: readPutUpdate,
    dataKey: keyForWriting,
    deliveries: 'sqs:SendMessage',
  },
  GetArtifact: keyedWithBodies,
  GetNote: keyedWithBodies,
  SearchEntities: {
    table: `${read} dynamodb:UpdateItem`,
    snapshots: 's3:GetObject',
    dataKey: keyForWriting,
    secret,
  },
  ResolveEntities: keyed,
  ReceiveSync: { table: everyItem, dataKey: keyForWriting, signingKey: 'kms:Decrypt' },
  Mcp: {},
  Console: {},
  ExecuteSteps: {
    table: everyItem,
    bodies: 's3:GetObject s3:PutObject',
    dataKey: keyForWriting,
    deliveries: 'sqs:SendMessage',
  },
  ParkRun: {
    table: getPutUpdate,
    bodies: 's3:GetObject',
    dataKey: keyForWriting,
    runs: 'states:SendTaskSuccess',
  },
  FailRun: {
    table: everyItem,
    bodies: 's3:GetObject s3:PutObject',
    dataKey: keyForWriting,
    deliveries: 'sqs:SendMessage',
  },
  Sweep: {
    table: readPutUpdateDelete,
    bodies: 's3:GetObject',
    due: 'dynamodb:Query',
    dataKey: keyForWriting,
    runs: 'states:SendTaskSuccess states:StartExecution',
    deliveries: 'sqs:SendMessage',
    recordJobs: 'sqs:SendMessage',
  },
  DeliverWebhook: {
    table: getPutUpdate,
    dataKey: keyForWriting,
    signingKey: 'kms:Decrypt',
    deliveries:
      'sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage sqs:SendMessage',
  },
  CompactRecords: {
    table: `${read} dynamodb:UpdateItem`,
    dataKey: keyForWriting,
    snapshots: 's3:DeleteObject s3:GetObject s3:PutObject',
    recordJobs:
      'sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage',
  },
  StartAudits: {
    table: 'dynamodb:BatchGetItem dynamodb:Query',
    dataKey: keyForReading,
    recordJobs: 'sqs:SendMessage',
  },
  Admin: {
    table: everyItem
      .replace('BatchGetItem', 'BatchGetItem dynamodb:BatchWriteItem')
      .replace('Query', 'Query dynamodb:Scan'),
    due: 'dynamodb:Query',
    // To erase a workspace.
    bucket: 's3:ListBucketVersions',
    bodies: 's3:DeleteObjectVersion s3:GetObject s3:PutObject',
    dataKey: keyForWriting,
    signingKey: 'kms:Decrypt kms:Encrypt',
    runs: 'states:SendTaskSuccess states:StartExecution',
    deliveries: 'sqs:SendMessage',
    secret,
  },
};

/** Logical id of the log group that a function writes to. */
const logsOf = (name: FunctionName, of = template) => {
  const logging = fields(functionOf(of, name).LoggingConfig);
  return text(logging.LogGroup).slice(1, -1);
};

/** Rights without those that every function has, resources by short names. */
function ownRights(name: FunctionName, of = template): Record<string, string> {
  const base = new Set(['*', `<${logsOf(name, of)}.Arn>`]);
  const rights = Object.entries(rightsOf(of, roleOf(of, name)));
  return Object.fromEntries(
    rights
      .filter(([resource]) => !base.has(resource))
      .map(([resource, may]) => [names[resource] ?? resource, may]),
  );
}

describe('rights', () => {
  test.each(functionNames)('%s may do exactly this', (name) => {
    expect(ownRights(name)).toEqual(expected[name]);
  });

  test.each(functionNames)(
    '%s writes its own log and its traces, and that is all it shares with others',
    (name) => {
      const rights = rightsOf(template, roleOf(template, name));
      expect(rights['*']).toBe('xray:PutTelemetryRecords xray:PutTraceSegments');
      expect(rights[`<${logsOf(name)}.Arn>`]).toBe('logs:CreateLogStream logs:PutLogEvents');
    },
  );

  test('no two functions share a role or a log group', () => {
    expect(new Set(functionNames.map((name) => roleOf(template, name))).size).toBe(functionNames.length);
    expect(new Set(functionNames.map((name) => logsOf(name))).size).toBe(functionNames.length);
  });

  test('roles of functions are assumed by Lambda only and carry no managed policy', () => {
    for (const name of functionNames) {
      const { Properties } = template.Resources[roleOf(template, name)] ?? {};
      expect(Properties).toEqual({
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
          ],
        },
      });
    }
  });

  test('no action of any role holds a wildcard', () => {
    for (const role of Object.keys(ofType(template, 'AWS::IAM::Role'))) {
      const actions = statementsOf(template, role).flatMap((statement) => statement.Action);
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    }
  });

  test('the data key is used through DynamoDB and S3 only', () => {
    for (const name of functionNames) {
      const onDataKey = statementsOf(template, roleOf(template, name)).filter((statement) =>
        statement.Resource.map(text).includes('<DataKey.Arn>'),
      );
      for (const statement of onDataKey) {
        const { StringEquals } = fields(statement.Condition);
        const services = list(fields(StringEquals)['kms:ViaService']).map(text);
        expect(services).toEqual(['dynamodb', 's3'].map((s) => `${s}.<AWS::Region>.<AWS::URLSuffix>`));
      }
    }
  });

  test('the machine may invoke its three tasks and nothing else', () => {
    const role = text(template.Resources.RunMachine?.Properties.RoleArn).slice(1, -'.Arn>'.length);
    const invoked = statementsOf(template, role).filter(({ Action }) =>
      Action.includes('lambda:InvokeFunction'),
    );
    expect(invoked.flatMap(({ Resource }) => Resource.map(text))).toEqual([
      '<ExecuteSteps.Arn>',
      '<FailRun.Arn>',
      '<ParkRun.Arn>',
    ]);
  });
});

test('the role of the machine is assumed by machines of this account only', () => {
  const role = text(template.Resources.RunMachine?.Properties.RoleArn).slice(1, -'.Arn>'.length);
  const { AssumeRolePolicyDocument } = template.Resources[role]?.Properties ?? {};
  expect(AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Principal: { Service: 'states.amazonaws.com' },
        Condition: {
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnLike: { 'aws:SourceArn': expect.anything() },
        },
      },
    ],
  });
});

describe('rights on models', () => {
  const invoke = (of: typeof template, name: FunctionName) =>
    statementsOf(of, roleOf(of, name))
      .filter(({ Action }) => Action.includes('bedrock:InvokeModel'))
      .flatMap(({ Resource }) => Resource.map(text));

  test('the offline model needs none', () => {
    expect(functionNames.flatMap((name) => invoke(template, name))).toEqual([]);
  });

  test('a Bedrock model may be called by the two functions that call models, and no other model', () => {
    const of = synthesize({ model: 'bedrock:amazon.nova-lite-v1:0' });
    const arn = 'arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/amazon.nova-lite-v1:0';
    const callers = functionNames.filter((name) => invoke(of, name).length > 0);
    expect(callers).toEqual(['CreateRun', 'ExecuteSteps']);
    for (const name of callers) expect(invoke(of, name)).toEqual([arn]);
  });

  test('an inference profile stands for its model in any region', () => {
    const of = synthesize({ model: 'bedrock:eu.amazon.nova-lite-v1:0' });
    expect(invoke(of, 'ExecuteSteps')).toEqual([
      'arn:<AWS::Partition>:bedrock:<AWS::Region>:<AWS::AccountId>:inference-profile/eu.amazon.nova-lite-v1:0',
      'arn:<AWS::Partition>:bedrock:*::foundation-model/amazon.nova-lite-v1:0',
    ]);
  });

  test('an embedding model may be called by those that embed', () => {
    const of = synthesize({ embedding_model: 'bedrock:amazon.titan-embed-text-v2:0' });
    expect(functionNames.filter((name) => invoke(of, name).length > 0)).toEqual([
      'ReceiveSync',
      'ExecuteSteps',
      'Admin',
    ]);
  });

  test("another provider's key is read by those that call the model", () => {
    const of = synthesize({ model: 'openai:some-model@https://models.example/v1' });
    const readers = functionNames.filter((name) => ownRights(name, of)['<ModelApiKey>'] === secret);
    expect(readers).toEqual(['CreateRun', 'ExecuteSteps']);
  });
});
