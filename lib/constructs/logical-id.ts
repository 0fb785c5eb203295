// Logical ids that must survive changes of the construct tree.
import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Sets the logical id of the resource of `construct`. Throws when it has none. */
export function fixLogicalId(construct: Construct, id: string): void {
  const resource = construct.node.defaultChild;
  if (!(resource instanceof CfnResource))
    throw new Error(`${construct.node.path} has no resource to name ${id}`);
  resource.overrideLogicalId(id);
}
