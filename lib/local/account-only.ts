// Resources that only matter in an account: accepted, and without effect on one machine.
import type { AwsService } from './aws-service.ts';
import { arn, inert, named } from './template/attributes.ts';

/** Alarms, topics, logs and the firewall. */
export const accountOnly: AwsService = {
  name: 'account-only',
  resources: {
    'AWS::CDK::Metadata': inert,
    'AWS::CloudWatch::*': inert,
    'AWS::Logs::*': inert,
    'AWS::Logs::LogGroup': (id, properties) => {
      const name = named('LogGroupName', id, properties);
      return { ref: name, Arn: arn('logs', `log-group:${name}:*`) };
    },
    'AWS::SNS::*': inert,
    'AWS::WAFv2::*': inert,
  },
};
