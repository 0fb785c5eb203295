// The stage option `vectors`: an index in Amazon S3 Vectors and the rights on it, only where it is asked for.
import { expect, test } from 'vitest';
import { EMBEDDING_DIMENSIONS } from '../../functions/models/offline/embedding.ts';
import type { FunctionName } from '../../lib/entries.ts';
import { fields, functionOf, ofType, only, synthesize, text } from '../support/synthesize.ts';
import { rightsOf, roleOf } from './policies.ts';

const withIndex = synthesize({ vectors: 's3' });
const without = synthesize();
const variables = (template: typeof without, name: FunctionName) =>
  fields(fields(functionOf(template, name).Environment).Variables);

test('by default there is no index, and no function has rights on one', () => {
  expect(ofType(without, 'AWS::S3Vectors::Index')).toEqual({});
  expect(JSON.stringify(without)).not.toContain('s3vectors');
});

test('the index measures cosine over vectors of the embedding model, and outlives the stack', () => {
  const index = only(withIndex, 'AWS::S3Vectors::Index');
  expect(index.Properties).toMatchObject({
    DistanceMetric: 'cosine',
    DataType: 'float32',
    Dimension: EMBEDDING_DIMENSIONS,
  });
  expect(index).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
  const bucket = only(withIndex, 'AWS::S3Vectors::VectorBucket');
  expect(text(fields(bucket.Properties.EncryptionConfiguration).KmsKeyArn)).toBe('<DataKey.Arn>');
});

test('only who searches may query it, and only who writes records may write it', () => {
  const rights = (name: FunctionName) =>
    Object.entries(rightsOf(withIndex, roleOf(withIndex, name))).flatMap(([resource, actions]) =>
      resource.includes('VectorIndex') ? [actions] : [],
    );
  expect(rights('ExecuteSteps')).toEqual(['s3vectors:GetVectors s3vectors:QueryVectors']);
  expect(rights('ReceiveSync')).toEqual(['s3vectors:DeleteVectors s3vectors:PutVectors']);
  expect(rights('Admin')).toEqual(['s3vectors:DeleteVectors s3vectors:ListVectors s3vectors:PutVectors']);
  expect(rights('CreateRun')).toEqual([]);
  expect(variables(withIndex, 'CreateRun')).not.toHaveProperty('VECTOR_INDEX_ARN');
  expect(variables(withIndex, 'ExecuteSteps')).toHaveProperty('VECTOR_INDEX_ARN');
});
