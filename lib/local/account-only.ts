// Resources that matter only in an account: accepted, without effect. iam/policies.ts reads what roles allow.
import type { AwsService } from './aws-service.ts';
import { ACCOUNT, arn, inert, named } from './template/attributes.ts';

/** Roles, alarms, budgets, topics, logs and the firewall. */
export const accountOnly: AwsService = {
  name: 'account-only',
  resources: {
    'AWS::Budgets::*': inert,
    'AWS::CDK::Metadata': inert,
    'AWS::CloudWatch::*': inert,
    'AWS::IAM::Policy': inert,
    'AWS::IAM::Role': (id, properties) => {
      const name = named('RoleName', id, properties);
      return { ref: name, Arn: `arn:aws:iam::${ACCOUNT}:role/${name}`, RoleId: id };
    },
    'AWS::Logs::*': inert,
    'AWS::Logs::LogGroup': (id, properties) => {
      const name = named('LogGroupName', id, properties);
      return { ref: name, Arn: arn('logs', `log-group:${name}:*`) };
    },
    'AWS::SNS::*': inert,
    'AWS::WAFv2::*': inert,
  },
};
