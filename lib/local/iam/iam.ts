// IAM: its resource types. Roles are checked by the endpoint, with the rights that policies.ts reads.
import type { AwsService } from '../aws-service.ts';
import { ACCOUNT, inert, named } from '../template/attributes.ts';

export const iam: AwsService = {
  name: 'iam',
  resources: {
    'AWS::IAM::Policy': inert,
    'AWS::IAM::Role': (id, properties) => {
      const name = named('RoleName', id, properties);
      return { ref: name, Arn: `arn:aws:iam::${ACCOUNT}:role/${name}`, RoleId: id };
    },
  },
};
