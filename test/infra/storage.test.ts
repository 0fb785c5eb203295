// Data at rest and queues in the template.
import { describe, expect, test } from 'vitest';
import { stateOf } from '../../bin/deploy/lost-state.ts';
import { functionNames } from '../../lib/entries.ts';
import { fields, functionOf, list, ofType, only, synthesize, text } from '../support/synthesize.ts';

const template = synthesize();
const properties = (id: string) => template.Resources[id]?.Properties ?? {};

/** What holds state, by the logical ids that deployed stacks have: another id would replace it by an empty one. */
const STATE = {
  'AWS::DynamoDB::Table': ['Table'],
  'AWS::S3::Bucket': ['Bodies'],
  'AWS::S3Vectors::VectorBucket': ['Vectors'],
  'AWS::KMS::Key': ['DataKey', 'SigningKey'],
  'AWS::SecretsManager::Secret': ['ModelApiKey', 'ServiceSecret'],
  'AWS::SQS::Queue': [
    ...['AuditDeadLetters', 'AuditQueue', 'CompactionDeadLetters', 'CompactionQueue', 'DeadLetters'],
    ...['DeliveryQueue', 'FireDeadLetters', 'FireQueue', 'TraceDeadLetters', 'TraceQueue'],
  ],
  'AWS::StepFunctions::StateMachine': ['RunMachine'],
  'AWS::ApiGateway::RestApi': ['RestApi'],
  'AWS::SNS::Topic': ['AlarmsTopic3A2DFEBA'],
};

test('what holds state keeps the logical ids of deployed stacks, so an update replaces none of it', () => {
  const everything = synthesize({
    model: 'openai:m@https://models.example/v1',
    vectors: 's3',
    otlp_endpoint: 'https://collector.example/v1/traces',
  });
  for (const [type, ids] of Object.entries(STATE))
    expect(Object.keys(ofType(everything, type)).sort()).toEqual(ids);
});

describe('table', () => {
  const table = only(template, 'AWS::DynamoDB::Table');

  test('is on demand, restorable to any point in time, and not deleted by accident', () => {
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
    expect(table).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });

  test('may be created without protection, so that a first deployment that fails leaves nothing behind', () => {
    const first = synthesize({ deletion_protection: 'false' });
    expect(only(first, 'AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled).toBe(false);
  });

  test('is the restored one where a stage names it: every function, right and output leads to it', () => {
    const restored = synthesize({ restored_table: 'restored-1' });
    expect(ofType(restored, 'AWS::DynamoDB::Table')).toEqual({});
    const variables = Object.values(ofType(restored, 'AWS::Lambda::Function')).flatMap(({ Properties }) => {
      const { TABLE_NAME } = fields(fields(Properties.Environment).Variables);
      return TABLE_NAME === undefined ? [] : [TABLE_NAME];
    });
    expect(variables.length).toBe(22);
    expect(new Set(variables)).toEqual(new Set(['restored-1']));
    expect(JSON.stringify(restored)).not.toContain('"Table"');
    expect(restored.Outputs.TableName?.Value).toBe('restored-1');
  });

  test('is encrypted with a key of ours', () => {
    const encryption = fields(table.Properties.SSESpecification);
    expect(encryption).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' });
    expect(text(encryption.KMSMasterKeyId)).toBe('<DataKey.Arn>');
  });

  test('forgets items by their expires_at_seconds', () => {
    expect(table.Properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'expires_at_seconds',
      Enabled: true,
    });
  });

  test('has two indexes, of keys only: of items that wait, and of deliveries', () => {
    expect(table.Properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
    expect(table.Properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: 'due',
        KeySchema: [
          { AttributeName: 'due_pk', KeyType: 'HASH' },
          { AttributeName: 'due_at', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
      {
        IndexName: 'deliveries',
        KeySchema: [
          { AttributeName: 'workspace_id', KeyType: 'HASH' },
          { AttributeName: 'listed_at', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ]);
    expect(table.Properties.AttributeDefinitions).toContainEqual({
      AttributeName: 'due_at',
      AttributeType: 'N',
    });
  });
});

describe('bucket', () => {
  const bucket = only(template, 'AWS::S3::Bucket');

  test('is private, versioned, encrypted with a key of the stack, and retained', () => {
    expect(bucket.Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      VersioningConfiguration: { Status: 'Enabled' },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } },
        ],
      },
    });
    expect(bucket.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('drops old versions and abandoned uploads', () => {
    expect(bucket.Properties.LifecycleConfiguration).toMatchObject({
      Rules: expect.arrayContaining([
        expect.objectContaining({
          NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          Status: 'Enabled',
        }),
      ]),
    });
  });

  test('drops snapshots of record indexes some days after the last reader may have begun with them', () => {
    expect(bucket.Properties.LifecycleConfiguration).toMatchObject({
      Rules: expect.arrayContaining([
        expect.objectContaining({
          Prefix: 'record-snapshots/',
          ExpirationInDays: 8,
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          Status: 'Enabled',
        }),
      ]),
    });
  });

  test('drops the calls of steps after their 90 days, segments of changes and answers too large for a reply after one, and where runs have a term every object after that', () => {
    const rules = (of: typeof template) =>
      list(fields(only(of, 'AWS::S3::Bucket').Properties.LifecycleConfiguration).Rules).map((rule) =>
        fields(rule),
      );
    const days = (of: typeof template) =>
      rules(of).map(({ Prefix, ExpirationInDays }) => [Prefix, ExpirationInDays]);
    const apart = [
      ['calls/', 90],
      ['record-snapshots/', 8],
      ['record-segments/', 1],
      ['record-answers/', 1],
    ];
    expect(days(template)).toEqual([[undefined, undefined], ...apart]);
    expect(days(synthesize({ retain_days: '365' }))).toEqual([[undefined, 365], ...apart]);
  });

  test('refuses calls without TLS', () => {
    const policy = only(template, 'AWS::S3::BucketPolicy').Properties.PolicyDocument;
    expect(policy).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    });
  });
});

describe('keys and secrets', () => {
  test('data and signing secrets have one key each; both rotate and are retained', () => {
    expect(Object.keys(ofType(template, 'AWS::KMS::Key')).sort()).toEqual(['DataKey', 'SigningKey']);
    for (const key of Object.values(ofType(template, 'AWS::KMS::Key'))) {
      expect(key).toMatchObject({
        Properties: { EnableKeyRotation: true },
        DeletionPolicy: 'RetainExceptOnCreate',
      });
    }
  });

  test('no key policy opens a key to all principals', () => {
    for (const { Properties } of Object.values(ofType(template, 'AWS::KMS::Key'))) {
      for (const statement of list(fields(Properties.KeyPolicy).Statement)) {
        expect(JSON.stringify(fields(statement).Principal)).not.toContain('*');
      }
    }
  });

  test('the root secret is generated, never written in the template, and retained', () => {
    expect(template.Resources.ServiceSecret).toMatchObject({
      Properties: { GenerateSecretString: { PasswordLength: 64 } },
      DeletionPolicy: 'RetainExceptOnCreate',
    });
    expect(properties('ServiceSecret')).not.toHaveProperty('SecretString');
  });

  test('a key for a model endpoint exists only where one is asked for', () => {
    expect(template.Resources).not.toHaveProperty('ModelApiKey');
    expect(synthesize({ model: 'openai:m@https://models.example/v1' }).Resources).toHaveProperty(
      'ModelApiKey',
    );
  });
});

test('a deployment that would replace what the stack retains is refused', () => {
  const everything = synthesize({ model: 'openai:m@https://models.example/v1', vectors: 's3' });
  const retained = Object.values(everything.Resources).filter(
    ({ DeletionPolicy }) => DeletionPolicy === 'RetainExceptOnCreate',
  );
  expect(retained.length).toBeGreaterThan(6);
  expect(retained.filter(({ Type }) => stateOf[Type] === undefined)).toEqual([]);
});

describe('queues', () => {
  test('are encrypted and refuse calls without TLS', () => {
    for (const { Properties } of Object.values(ofType(template, 'AWS::SQS::Queue'))) {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
    }
    expect(Object.keys(ofType(template, 'AWS::SQS::QueuePolicy')).length).toBe(8);
  });

  test('a delivery is hidden for six times the time of the function, and set aside after five tries', () => {
    expect(properties('DeliveryQueue').VisibilityTimeout).toBe(6 * 20);
    const redrive = fields(properties('DeliveryQueue').RedrivePolicy);
    expect(redrive.maxReceiveCount).toBe(5);
    expect(text(redrive.deadLetterTargetArn)).toBe('<DeadLetters.Arn>');
    expect(properties('DeadLetters').MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });

  test.each(['Compaction', 'Audit'])(
    '%s: a job is hidden for six times the time of the function, and set aside after three tries',
    (kind) => {
      expect(properties(`${kind}Queue`).VisibilityTimeout).toBe(6 * 900);
      const redrive = fields(properties(`${kind}Queue`).RedrivePolicy);
      expect(redrive.maxReceiveCount).toBe(3);
      expect(text(redrive.deadLetterTargetArn)).toBe(`<${kind}DeadLetters.Arn>`);
      expect(properties(`${kind}DeadLetters`).MessageRetentionPeriod).toBe(14 * 24 * 3600);
    },
  );

  /** The setting of how a queue's function gets its messages. */
  const mappingOf = (queue: string) =>
    Object.values(ofType(template, 'AWS::Lambda::EventSourceMapping'))
      .map(({ Properties }) => Properties)
      .find(({ EventSourceArn }) => text(EventSourceArn) === `<${queue}.Arn>`);

  test('a delivery has its invocation to itself, and traces have a queue of their own where they are collected', () => {
    expect(mappingOf('DeliveryQueue')).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 200 },
    });
    expect(mappingOf('TraceQueue')).toBeUndefined();
    const collected = synthesize({ otlp_endpoint: 'https://collector.example' });
    const sources = Object.values(ofType(collected, 'AWS::Lambda::EventSourceMapping'))
      .map(({ Properties }) => Properties)
      .filter(({ FunctionName }) => text(FunctionName) === '<DeliverWebhook>');
    expect(sources.map(({ EventSourceArn }) => text(EventSourceArn)).sort()).toEqual([
      '<DeliveryQueue.Arn>',
      '<TraceQueue.Arn>',
    ]);
    const holders = functionNames.filter(
      (name) => 'TRACE_QUEUE_URL' in fields(fields(functionOf(collected, name).Environment).Variables),
    );
    expect(holders).toEqual(['Write', 'ExecuteSteps', 'FailRun', 'Sweep', 'Admin']);
  });

  test.each(['CompactionQueue', 'AuditQueue'])(
    '%s: jobs are done one at a time on a disk, and a few at once',
    (queue) => {
      expect(mappingOf(queue)).toMatchObject({
        BatchSize: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 5 },
      });
    },
  );
});
