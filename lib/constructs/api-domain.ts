// A name for the API: its domain in API Gateway and, in a hosted zone, the record that leads there.
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { ServiceDomain } from '../props.ts';

/** The domain of an API. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, api: RestApi, { name, certificate, hostedZone }: ServiceDomain) {
    super(scope, id);
    const domain = api.addDomainName('Domain', {
      domainName: name,
      certificate,
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    if (!hostedZone) return;
    const { domainNameAliasDomainName: dnsName, domainNameAliasHostedZoneId: hostedZoneId } = domain;
    new ARecord(this, 'Record', {
      zone: hostedZone,
      // With a dot at its end it is the whole name, whatever the zone.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias({ bind: () => ({ dnsName, hostedZoneId }) }),
    });
  }
}
