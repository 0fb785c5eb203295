// How long logs are kept, and under which key.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Stage } from '../stage.ts';

/** Properties of every log group; logs go with the stack, unlike data. */
export function logGroupProps(stage: Stage, dataKey: Key): LogGroupProps {
  return {
    retention: stage.log_retention_days,
    encryptionKey: dataKey,
    removalPolicy: RemovalPolicy.DESTROY,
  };
}
