// rules.md: versions 3. CloudFormation asks the function CheckRelease before a deployment changes any other one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AwsRequest } from '../../lib/local/aws-endpoint/aws-request.ts';
import type { Forward } from '../support/observed/observed-services.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { customer, status } from './webhook-receiver.ts';

const STACK = 'arn:aws:cloudformation:us-east-1:000000000000:stack/RunService/local';
const ALLOWED = { AllowOlderRelease: 'true' };

let service: OwnService;
beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service.stop());
afterEach(() => service.faults.clear());

/** What a deployment of a release sends. */
const request = (Release: string, ResponseURL: string, changes: object = {}, properties: object = {}) => ({
  RequestType: 'Update',
  ResponseURL,
  StackId: STACK,
  RequestId: 'r-1',
  LogicalResourceId: 'ReleaseMark',
  PhysicalResourceId: 'release',
  ResourceType: 'Custom::Release',
  ServiceToken: 'arn:aws:lambda:us-east-1:000000000000:function:CheckRelease',
  ResourceProperties: { Release, AllowOlderRelease: 'false', TableName: 'Table', ...properties },
  ...changes,
});

const invoke = async (event: object) => service.runtime.lambda.invoke('CheckRelease', JSON.stringify(event));

const rollingBack = (asked: AwsRequest) => ({
  kind: 'changed' as const,
  answer: async (forward: Forward) => {
    const reply = await forward(asked);
    return { ...reply, body: String(reply.body).replace('CREATE_COMPLETE', 'UPDATE_ROLLBACK_IN_PROGRESS') };
  },
});

/** What CloudFormation gets for the deployment of a release. */
async function deploys(release: string, changes: object = {}, properties: object = {}) {
  const waiting = await customer(status(200));
  const result = await invoke(request(release, waiting.url, changes, properties));
  expect(result).toMatchObject({ ok: true });
  expect(waiting.received).toHaveLength(1);
  const [answer] = waiting.received;
  return { headers: answer?.headers, ...JSON.parse(String(answer?.body)) };
}

/** The release that the table names, by what an older one gets. */
async function writer(): Promise<string | undefined> {
  const { Reason } = await deploys('0.0.0');
  return /was written by release (\S+),/.exec(Reason)?.[1];
}

test('a release marks the table, and so does each later one, however often it is asked', async () => {
  const first = await deploys('1.9.0', { RequestType: 'Create', PhysicalResourceId: undefined });
  expect(first).toMatchObject({
    Status: 'SUCCESS',
    StackId: STACK,
    RequestId: 'r-1',
    LogicalResourceId: 'ReleaseMark',
    PhysicalResourceId: 'release',
  });
  // The signature of the address is for none.
  expect(first.headers).not.toHaveProperty('content-type');
  for (const release of ['1.9.0', '1.10.0', '1.10.0'])
    expect(await deploys(release), release).toMatchObject({ Status: 'SUCCESS' });
  expect(await writer()).toBe('1.10.0');
});

test('an earlier release is refused with both in one line, and the mark stays', async () => {
  await deploys('2.0.0');
  expect(await deploys('1.10.0')).toMatchObject({
    Status: 'FAILED',
    Reason:
      'The table was written by release 2.0.0, and this is 1.10.0: deploy 2.0.0 or a later one. If you mean it: allowOlderRelease (AllowOlderRelease of the template, --allow-older-release of npm run deploy)',
  });
  expect(await writer()).toBe('2.0.0');
});

test('a stack over the table of another one that is gone is refused in the same way', async () => {
  await deploys('2.1.0');
  const made = await deploys('2.0.0', { RequestType: 'Create', PhysicalResourceId: undefined });
  expect(made.Status).toBe('FAILED');
});

test('where it is meant, an earlier release is the writer from then on', async () => {
  await deploys('3.0.0');
  expect(await deploys('2.9.0', {}, ALLOWED)).toMatchObject({ Status: 'SUCCESS' });
  expect(await writer()).toBe('2.9.0');
});

test('the rollback of a deployment that failed later on is never refused', async () => {
  await deploys('4.0.0', {}, ALLOWED);
  await deploys('4.1.0');
  service.faults.add((asked) => (asked.service === 'cloudformation' ? rollingBack(asked) : undefined));
  expect(await deploys('4.0.0')).toMatchObject({ Status: 'SUCCESS' });
  service.faults.clear();
  expect(await writer()).toBe('4.0.0');
});

test('the deletion of the stack leaves the mark, as it leaves the table', async () => {
  await deploys('5.0.0', {}, ALLOWED);
  expect(await deploys('5.0.0', { RequestType: 'Delete' })).toMatchObject({ Status: 'SUCCESS' });
  expect(await writer()).toBe('5.0.0');
});

test('a table that refuses for some seconds, as it does a role that was just made, is asked again', async () => {
  let refusals = 0;
  service.faults.add(({ service: to }) => {
    if (to !== 'dynamodb' || refusals === 2) return undefined;
    refusals += 1;
    return { kind: 'error' };
  });
  expect(await deploys('6.0.0', {}, ALLOWED)).toMatchObject({ Status: 'SUCCESS' });
});

test('an answer that does not arrive fails the call, which Lambda repeats to the same end', async () => {
  const waiting = await customer(status(503), status(200));
  const event = request('7.0.0', waiting.url, {}, ALLOWED);
  expect(await invoke(event)).toMatchObject({ ok: false });
  expect(await invoke(event)).toMatchObject({ ok: true });
  expect(JSON.parse(String(waiting.received.at(-1)?.body))).toMatchObject({ Status: 'SUCCESS' });
  expect(await writer()).toBe('7.0.0');
});

test('no log has the address of the answer', async () => {
  const waiting = await customer(status(200));
  const address = `${waiting.url}?X-Amz-Signature=only-for-the-answer`;
  expect(await invoke(request('8.0.0', address, {}, ALLOWED))).toMatchObject({ ok: true });
  const log = join(service.dataDir, 'logs/CheckRelease.log');
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('"Release":"8.0.0"');
  expect(readFileSync(log, 'utf8')).not.toContain('only-for-the-answer');
});
