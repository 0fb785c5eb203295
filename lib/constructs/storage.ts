// Stored data: the table, the bucket for large bodies, the keys and the root secret.
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { CfnVectorBucket } from 'aws-cdk-lib/aws-s3vectors';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import {
  ANSWERS_PREFIX,
  CALLS_PREFIX,
  oldVersionDays,
  retentionDays,
  SEGMENTS_PREFIX,
  SNAPSHOTS_PREFIX,
} from '../../functions/contract/retention.ts';
import type { Stage } from '../stage.ts';
import { acknowledge } from './acknowledge.ts';
import { fixLogicalId } from './logical-id.ts';

const OUTLIVES_THE_STACK = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

export const DUE_INDEX = 'due';
export const DELIVERY_INDEX = 'deliveries';
/** Logical id of the bucket. */
export const BODIES = 'Bodies';

/**
 * Everything here survives the stack: deleting the stack deletes neither customer data nor a key. Only a first
 * deployment that fails removes it.
 */
export class Storage extends Construct {
  /** Encrypts table, bucket and logs. */
  readonly dataKey: Key;
  /** Encrypts the signing secrets of webhooks and sync; separate, so that readers of data cannot decrypt them. */
  readonly signingKey: Key;
  readonly serviceSecret: Secret;
  readonly table: ITable;
  readonly bucket: Bucket;
  /** The bucket of the vector indexes, one per workspace; undefined when only the table is searched. */
  readonly vectorBucket: CfnVectorBucket | undefined;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.dataKey = new Key(this, 'DataKey', {
      enableKeyRotation: true,
      description: 'Run service: data and logs',
      removalPolicy: OUTLIVES_THE_STACK,
    });
    this.signingKey = new Key(this, 'SigningKey', {
      enableKeyRotation: true,
      description: 'Run service: signing secrets',
      removalPolicy: OUTLIVES_THE_STACK,
    });
    this.serviceSecret = new Secret(this, 'ServiceSecret', {
      description: 'Root of the keys for key lookup, cursors and tokens',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: OUTLIVES_THE_STACK,
    });
    this.table = stage.restored_table
      ? Table.fromTableName(this, 'Restored', stage.restored_table)
      : this.makeTable(stage.deletion_protection);
    this.bucket = this.makeBucket(stage.retain_days);
    this.vectorBucket = stage.vectors === 's3' ? this.makeVectorBucket() : undefined;
    this.letLogsUseTheKey();
    this.fixLogicalIds();
    acknowledge(this.serviceSecret, {
      SMG4: 'API keys are looked up by a hash keyed with this root: rotating it on a schedule would lock every caller out.',
    });
    acknowledge(this.bucket, {
      S1: 'Only functions of this service read the bucket; CloudTrail data events record access where that is asked for.',
    });
  }

  private makeTable(deletionProtection: boolean): Table {
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expires_at_seconds',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      removalPolicy: OUTLIVES_THE_STACK,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.dataKey,
    });
    // Sparse: only items that are due have a due_pk.
    table.addGlobalSecondaryIndex({
      indexName: DUE_INDEX,
      partitionKey: { name: 'due_pk', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse: only deliveries have a listed_at.
    table.addGlobalSecondaryIndex({
      indexName: DELIVERY_INDEX,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'listed_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // A changed logical id would replace the table by a new, empty one.
    fixLogicalId(table, 'Table');
    return table;
  }

  private makeBucket(retainDays: number | undefined): Bucket {
    return new Bucket(this, BODIES, {
      encryption: BucketEncryption.KMS,
      encryptionKey: this.dataKey,
      bucketKeyEnabled: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy: OUTLIVES_THE_STACK,
      lifecycleRules: [
        {
          // Deletes a run's objects with its items, and objects whose write lost a race.
          ...(retainDays !== undefined && { expiration: Duration.days(retainDays) }),
          noncurrentVersionExpiration: Duration.days(oldVersionDays.object),
          // A rule with a term removes them anyway, and must not name them.
          ...(retainDays === undefined && { expiredObjectDeleteMarker: true }),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        { prefix: CALLS_PREFIX, expiration: Duration.days(retentionDays.call) },
        {
          prefix: SNAPSHOTS_PREFIX,
          expiration: Duration.days(retentionDays.snapshot),
          noncurrentVersionExpiration: Duration.days(oldVersionDays.snapshot),
        },
        {
          prefix: SEGMENTS_PREFIX,
          expiration: Duration.days(retentionDays.segment),
          noncurrentVersionExpiration: Duration.days(oldVersionDays.segment),
        },
        {
          prefix: ANSWERS_PREFIX,
          expiration: Duration.days(retentionDays.answer),
          noncurrentVersionExpiration: Duration.days(oldVersionDays.answer),
        },
      ],
    });
  }

  private makeVectorBucket(): CfnVectorBucket {
    const bucket = new CfnVectorBucket(this, 'Vectors', {
      encryptionConfiguration: { sseType: 'aws:kms', kmsKeyArn: this.dataKey.keyArn },
    });
    bucket.overrideLogicalId('Vectors');
    bucket.applyRemovalPolicy(OUTLIVES_THE_STACK);
    // S3 Vectors updates its indexes in the background.
    this.dataKey.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt'],
        resources: ['*'],
        principals: [new ServicePrincipal('indexing.s3vectors.amazonaws.com')],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return bucket;
  }

  /** A changed logical id would replace a resource by a new, empty one. */
  private fixLogicalIds(): void {
    fixLogicalId(this.dataKey, 'DataKey');
    fixLogicalId(this.signingKey, 'SigningKey');
    fixLogicalId(this.serviceSecret, 'ServiceSecret');
    fixLogicalId(this.bucket, BODIES);
  }

  private letLogsUseTheKey(): void {
    this.dataKey.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*', 'kms:DescribeKey'],
        resources: ['*'],
        principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
        conditions: {
          ArnLike: {
            'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*`,
          },
        },
      }),
    );
  }
}
