// Who sends a command to a deployed stack, as the CLI says (rules.md: admin 11).
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../bin/admin/connect-admin.ts';

const ARN = 'arn:aws:sts::123456789012:assumed-role/Operator/ada';
const formation = mockClient(CloudFormationClient);
const lambda = mockClient(LambdaClient);
const sts = mockClient(STSClient);

beforeEach(() => {
  const Outputs = [{ OutputKey: 'AdminFunctionName', OutputValue: 'RunService-Admin' }];
  formation
    .on(DescribeStacksCommand)
    .resolves({ Stacks: [{ StackName: 'S', CreationTime: undefined, StackStatus: undefined, Outputs }] });
  lambda.on(InvokeCommand).callsFake(({ Payload }) => ({ Payload: Buffer.from(Payload) }));
});
afterEach(() => {
  for (const client of [formation, lambda, sts]) client.reset();
});

/** What the function gets: its fake answers that. */
async function sent() {
  const send = await connect({ stack: 'RunService', region: 'eu-central-1' });
  return send({ command: 'index.engine' });
}

test('a command tells a deployed stack the ARN behind its credentials', async () => {
  sts.on(GetCallerIdentityCommand).resolves({ Arn: ARN });
  expect(await sent()).toEqual({ command: 'index.engine', claimed_caller: ARN });
});

test('a command is sent without a claim where STS does not answer', async () => {
  sts.on(GetCallerIdentityCommand).rejects(new Error('connect ETIMEDOUT'));
  expect(await sent()).toEqual({ command: 'index.engine' });
});
