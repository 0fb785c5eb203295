// A firewall in front of the API: it blocks an address that sends too many requests.
import { Aws, Fn } from 'aws-cdk-lib';
import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { FIREWALL_PASS } from '../../functions/contract/headers.ts';

export interface FirewallProps {
  requestsPer5Minutes: number;
  /** The header in which a proxy sends the address of its client; undefined: the address that connects. */
  addressHeader: string | undefined;
}

/**
 * Counts by address. It cannot protect the stream: function URLs do not support firewalls. What the MCP endpoint asks
 * of the API comes from a few addresses of Lambda, so it has a pass: agents are counted by what they send to it.
 */
export class Firewall extends Construct {
  /**
   * The random part of the stack's id: CloudFormation inserts it, so no template contains it. Who may read it may also
   * read the rule below, and it opens nothing else.
   */
  readonly pass = Fn.select(2, Fn.split('/', Aws.STACK_ID));

  constructor(scope: Construct, id: string, stage: ApiStage, props: FirewallProps) {
    super(scope, id);
    const { requestsPer5Minutes, addressHeader } = props;
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
              limit: requestsPer5Minutes,
              evaluationWindowSec: 300,
              scopeDownStatement: { notStatement: { statement: hasPass(this.pass) } },
              ...countedBy(addressHeader),
            },
          },
          visibilityConfig: { ...seen, metricName: `${Aws.STACK_NAME}-rate-by-address` },
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}

function hasPass(searchString: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: FIREWALL_PASS.toLowerCase() } },
      positionalConstraint: 'EXACTLY',
      searchString,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
}

/** By what requests are counted. A proxy's header with no address in it is blocked. */
function countedBy(headerName: string | undefined) {
  return headerName === undefined
    ? { aggregateKeyType: 'IP' }
    : { aggregateKeyType: 'FORWARDED_IP', forwardedIpConfig: { headerName, fallbackBehavior: 'MATCH' } };
}
