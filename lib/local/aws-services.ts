// All AWS services of the local runtime: a new one is a folder and a line here.
import { accountOnly } from './account-only.ts';
import { apiGateway } from './api-gateway/api-gateway.ts';
import type { AwsService } from './aws-service.ts';
import { cloudformation } from './cloudformation/cloudformation.ts';
import { dynamodb } from './dynamodb/dynamodb.ts';
import { eventbridge } from './eventbridge/eventbridge.ts';
import { kms } from './kms/kms.ts';
import { lambda } from './lambda/lambda.ts';
import { s3 } from './s3/s3.ts';
import { secretsManager } from './secrets-manager/secrets-manager.ts';
import { sqs } from './sqs/sqs.ts';
import { stepFunctions } from './step-functions/step-functions.ts';

/** In opening order. They stop in reverse: executions and functions before what they write to. */
export const awsServices: readonly AwsService[] = [
  dynamodb,
  sqs,
  s3,
  kms,
  secretsManager,
  cloudformation,
  lambda,
  stepFunctions,
  eventbridge,
  apiGateway,
  accountOnly,
];
