// The CDK's feature flags of the service: its template is the same in every app, whatever flags that sets.
import { FLAGS, futureFlagDefault } from 'aws-cdk-lib/cx-api';
import type { IConstruct } from 'constructs';
import cdk from '../cdk.json' with { type: 'json' };

const ours: Readonly<Record<string, unknown>> = cdk.context;

/** Sets every flag on a construct that has no children yet. One that we do not set has the default of the CDK. */
export function setFeatureFlags({ node }: IConstruct): void {
  // The others are of a version of the CDK before this one, which refuses them.
  for (const [name, { introducedIn }] of Object.entries(FLAGS))
    if (introducedIn.v2 !== undefined) node.setContext(name, ours[name] ?? futureFlagDefault(name));
}
