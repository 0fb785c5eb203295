// A deployment in two steps: a change set that is only read, then the deployment, unless it would lose state.
import {
  type Change,
  ChangeSetNotFoundException,
  type CloudFormationClient,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
} from '@aws-sdk/client-cloudformation';
import type { DeployArguments } from './arguments.ts';
import { lostState } from './lost-state.ts';

const CHANGE_SET = 'lost-state';

export interface Deployment {
  /** Runs a command of the CDK; resolves with its exit code. */
  cdk(args: readonly string[]): Promise<number>;
  client: Pick<CloudFormationClient, 'send'>;
  /** The name of the stack in the cloud assembly that the CDK has written. */
  stackName(): string;
  refuse(line: string): void;
}

/** Deploys; returns the exit code. Nothing has changed when it is refused. */
export async function deploy(
  { allowed, cdk: args }: DeployArguments,
  deployment: Deployment,
): Promise<number> {
  const { cdk, client, stackName, refuse } = deployment;
  const reading = ['--method', 'prepare-change-set', '--change-set-name', CHANGE_SET];
  const prepared = await cdk(['deploy', ...args, ...reading, '--require-approval', 'never']);
  if (prepared !== 0) return prepared;
  const named = { StackName: stackName(), ChangeSetName: CHANGE_SET };
  const lost = lostState(await changesOf(client, named), allowed);
  await client.send(new DeleteChangeSetCommand(named));
  for (const line of lost) refuse(line);
  // What was read is what is deployed: the assembly is not made again.
  return lost.length > 0 ? 1 : cdk(['deploy', '--app', 'cdk.out', ...args]);
}

/** All changes; none where the CDK has found nothing to do. */
async function changesOf(
  client: Deployment['client'],
  named: { StackName: string; ChangeSetName: string },
): Promise<Change[]> {
  const changes: Change[] = [];
  try {
    let NextToken: string | undefined;
    do {
      const page = await client.send(new DescribeChangeSetCommand({ ...named, NextToken }));
      changes.push(...(page.Changes ?? []));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
  } catch (error) {
    if (!(error instanceof ChangeSetNotFoundException)) throw error;
  }
  return changes;
}
