// Which release a stack is of: an earlier one does not know all that a later one has written.
import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { isNewer } from '../../functions/contract/release-order.ts';

/** Why `release` is not to follow the one that the stack is of; undefined if it may. */
export async function newerRelease(
  client: CloudFormationClient,
  StackName: string,
  release: string,
): Promise<string | undefined> {
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
  const output = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'Release');
  const deployed = output?.OutputValue;
  if (deployed === undefined || !isNewer(deployed, release)) return undefined;
  return `${StackName} is of release ${deployed}, and this is ${release}: deploy ${deployed} or a later one. If you mean it: --allow-older-release`;
}
