// Deployments with a canary: the functions that create and execute runs try their new version on a tenth of the calls.
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import { acknowledge } from './acknowledge.ts';

const configs: Readonly<Record<NonNullable<Stage['canary_minutes']>, ILambdaDeploymentConfig>> = {
  0: LambdaDeploymentConfig.ALL_AT_ONCE,
  5: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  10: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  15: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  30: LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
};

interface CanaryProps {
  minutes: NonNullable<Stage['canary_minutes']>;
  aliases: readonly Alias[];
  /** Any of them ends the deployment. None may depend on what calls an alias: that would be circular. */
  alarms: readonly Alarm[];
}

/**
 * CodeDeploy moves each alias to the new version, all at the same time. When an alarm rings in the meantime it moves
 * them back, and CloudFormation, whose update has failed, takes back everything else.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { minutes, aliases, alarms }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    for (const alias of aliases)
      new LambdaDeploymentGroup(this, alias.lambda.node.id, {
        ...{ application, alias, role },
        deploymentConfig: configs[minutes],
        // A fix must deploy even while an alarm rings.
        alarms: minutes === 0 ? [] : [...alarms],
      });
    acknowledge(role, {
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'AWS defines what CodeDeploy may do with functions and their alarms.',
    });
  }
}
