// The stage option `vectors`: indexes in Amazon S3 Vectors and the rights on it, only where it is asked for.
import { expect, test } from 'vitest';
import type { FunctionName } from '../../lib/entries.ts';
import { fields, functionOf, ofType, only, synthesize, text } from '../support/synthesize.ts';
import { rightsOf, roleOf } from './policies.ts';

const withIndex = synthesize({ vectors: 's3' });
const without = synthesize();
const variables = (template: typeof without, name: FunctionName) =>
  fields(fields(functionOf(template, name).Environment).Variables);

test('by default there is no bucket for indexes, and no function has rights on one', () => {
  expect(ofType(without, 'AWS::S3Vectors::VectorBucket')).toEqual({});
  expect(JSON.stringify(without)).not.toContain('s3vectors');
});

test('the bucket of the indexes outlives the stack', () => {
  const bucket = only(withIndex, 'AWS::S3Vectors::VectorBucket');
  expect(text(fields(bucket.Properties.EncryptionConfiguration).KmsKeyArn)).toBe('<DataKey.Arn>');
  expect(bucket).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
});

test('only who searches may query an index, and only who writes records may create, write or delete one', () => {
  const rights = (name: FunctionName) =>
    Object.entries(rightsOf(withIndex, roleOf(withIndex, name))).flatMap(([resource, actions]) =>
      resource.includes('/index/*') && resource.includes('Vector') ? [actions] : [],
    );
  expect(rights('ExecuteSteps')).toEqual(['s3vectors:GetVectors s3vectors:QueryVectors']);
  for (const name of ['Entities', 'Sync'] as const)
    expect(rights(name)).toEqual(['s3vectors:CreateIndex s3vectors:DeleteVectors s3vectors:PutVectors']);
  expect(rights('Admin')).toEqual([
    's3vectors:CreateIndex s3vectors:DeleteIndex s3vectors:DeleteVectors s3vectors:PutVectors',
  ]);
  expect(rights('Sweep')).toEqual([
    's3vectors:CreateIndex s3vectors:DeleteIndex s3vectors:DeleteVectors s3vectors:PutVectors',
  ]);
  expect(rights('Start')).toEqual([]);
  expect(variables(withIndex, 'Start')).not.toHaveProperty('VECTOR_BUCKET_ARN');
  expect(variables(withIndex, 'ExecuteSteps')).toHaveProperty('VECTOR_BUCKET_ARN');
});
