// Logical ids that no later change of the construct tree may alter.
import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Names the resource under `construct` `id` in the template. Throws when there is no such resource. */
export function fixLogicalId(construct: Construct, id: string): void {
  const resource = construct.node.defaultChild;
  if (!(resource instanceof CfnResource))
    throw new Error(`${construct.node.path} has no resource to name ${id}`);
  resource.overrideLogicalId(id);
}
