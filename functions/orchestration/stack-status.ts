// CloudFormation: what it does with a stack at the moment.
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { clientSettings } from '#platform/aws-client.ts';

const client = new CloudFormationClient(clientSettings('cloudformation'));

/** Whether a deployment of the stack has failed, and the release before it is put back. */
export async function isRollingBack(stackId: string): Promise<boolean> {
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackId }));
  return Stacks?.[0]?.StackStatus === 'UPDATE_ROLLBACK_IN_PROGRESS';
}
