// Retention and encryption of logs.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Stage } from '../stage.ts';

/** Properties of every log group. Unlike data, logs are deleted with the stack. */
export function logGroupProps(stage: Stage, dataKey: Key): LogGroupProps {
  return {
    retention: stage.log_retention_days,
    encryptionKey: dataKey,
    removalPolicy: RemovalPolicy.DESTROY,
  };
}
