// A firewall in front of the API: it blocks an address that sends too many requests.
import { Aws } from 'aws-cdk-lib';
import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Counts by address. It cannot protect the stream: function URLs do not support firewalls. */
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
