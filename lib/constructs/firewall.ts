// A firewall before the API: it refuses an address that asks too often, before a function is invoked.
import { Aws } from 'aws-cdk-lib';
import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Counts by address. The stream's own URL is out of its reach: no firewall stands before a function URL. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, stage: ApiStage, requestsPer5Minutes: number) {
    super(scope, id);
    const seen = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: { ...seen, metricName: `${Aws.STACK_NAME}-api` },
      rules: [
        {
          name: 'rate-by-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: requestsPer5Minutes,
              evaluationWindowSec: 300,
            },
          },
          visibilityConfig: { ...seen, metricName: `${Aws.STACK_NAME}-rate-by-address` },
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}
