// A deployment in two steps: a change set that is only read, then the deployment, unless it would lose state.
import {
  type Change,
  ChangeSetNotFoundException,
  type CloudFormationClient,
  DeleteChangeSetCommand,
  paginateDescribeChangeSet,
} from '@aws-sdk/client-cloudformation';
import type { DeployArguments } from './arguments.ts';
import { lostState } from './lost-state.ts';
import { newerRelease } from './newer-release.ts';

const CHANGE_SET = 'lost-state';

export interface Deployment {
  /** Runs a command of the CDK; resolves with its exit code. */
  cdk(args: readonly string[]): Promise<number>;
  client: CloudFormationClient;
  /** The version of this release. */
  release: string;
  /** The name of the stack in the cloud assembly that the CDK has written. */
  stackName(): string;
  refuse(line: string): void;
}

/** Deploys; returns the exit code. Nothing has changed when it is refused. */
export async function deploy(
  { allowed, allowsOlder, cdk: args }: Pick<DeployArguments, 'allowed' | 'allowsOlder' | 'cdk'>,
  deployment: Deployment,
): Promise<number> {
  const { cdk, client, stackName, release, refuse } = deployment;
  const reading = ['--method', 'prepare-change-set', '--change-set-name', CHANGE_SET];
  const prepared = await cdk(['deploy', ...args, ...reading, '--require-approval', 'never']);
  if (prepared !== 0) return prepared;
  const named = { StackName: stackName(), ChangeSetName: CHANGE_SET };
  const changes = await changesOf(client, named);
  if (changes) await client.send(new DeleteChangeSetCommand(named));
  // Where nothing changes, the stack is of this release.
  const newer = changes && !allowsOlder ? await newerRelease(client, named.StackName, release) : undefined;
  if (newer !== undefined) {
    refuse(newer);
    return 2;
  }
  const lost = lostState(changes ?? [], allowed);
  for (const line of lost) refuse(line);
  // Deploys the assembly that was checked, without making it again.
  return lost.length > 0 ? 1 : cdk(['deploy', '--app', 'cdk.out', ...args]);
}

/** All changes of a change set; undefined if the CDK has removed it, because there is nothing to do. */
async function changesOf(
  client: CloudFormationClient,
  named: { StackName: string; ChangeSetName: string },
): Promise<Change[] | undefined> {
  const changes: Change[] = [];
  try {
    for await (const page of paginateDescribeChangeSet({ client }, named))
      changes.push(...(page.Changes ?? []));
    return changes;
  } catch (error) {
    if (error instanceof ChangeSetNotFoundException) return undefined;
    throw error;
  }
}
