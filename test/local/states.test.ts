// Executions of the test machine: loops, retries, catches, task tokens, names and restarts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executionIn } from './fixture/executions.ts';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeAll(async () => {
  started = await startFixture();
});
afterAll(() => started.end());

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine';
const figures = () => started.runtime.services.get('states')?.figures?.() ?? {};

async function begin(mode: string, name: string = randomUUID()): Promise<string> {
  const input = JSON.stringify({ run: name, mode });
  const reply = await started.work('start', { stateMachineArn: machine, name, input });
  return String(reply.executionArn);
}
const execution = (arn: string) => executionIn(started.dataDir, arn);
const ended = (arn: string, status: string) => expect.poll(() => execution(arn)?.status).toBe(status);
const outputOf = (arn: string) => JSON.parse(String(execution(arn)?.output));

async function tokenOf(run: string): Promise<string | null> {
  const result = await started.runtime.lambda.invoke('Task', JSON.stringify({ mode: 'token', run }));
  return result.ok ? JSON.parse(result.payload).token : null;
}

test('an execution ends with the output of its last state', async () => {
  const arn = await begin('plain', 'plain-1');
  await ended(arn, 'SUCCEEDED');
  expect(outputOf(arn)).toEqual({ run: 'plain-1', calls: 1 });
});

test('an error that a catcher names leads back, without a retry, until the task ends', async () => {
  const before = figures().transitions ?? 0;
  const arn = await begin('loop');
  await ended(arn, 'SUCCEEDED');
  expect(outputOf(arn)).toMatchObject({ calls: 3 });
  expect((figures().transitions ?? 0) - before).toBe(3);
});

test('an error that a retrier names is tried again', async () => {
  const arn = await begin('flaky');
  await ended(arn, 'SUCCEEDED');
  expect(outputOf(arn)).toMatchObject({ calls: 3 });
});

test('an error that only a catcher names goes to its state', async () => {
  const arn = await begin('broken');
  await ended(arn, 'FAILED');
  expect(execution(arn)).toMatchObject({ error: 'Broken', cause: 'caught' });
});

test('a worker killed in a task is a failed attempt, which is tried again', async () => {
  const run = randomUUID();
  const arn = await begin('hang', run);
  await expect.poll(() => tokenOf(run)).toBe('hangs');
  await started.runtime.lambda.kill('Task');
  await ended(arn, 'SUCCEEDED');
});

test('a parked execution continues when its token is answered, once', async () => {
  const run = randomUUID();
  const arn = await begin('park', run);
  await expect.poll(() => tokenOf(run)).not.toBeNull();
  const taskToken = await tokenOf(run);
  await started.work('answer', { taskToken, output: '{"go":true}' });
  await ended(arn, 'SUCCEEDED');
  await expect(started.work('answer', { taskToken, output: '{}' })).rejects.toMatchObject({
    name: 'TaskTimedOut',
  });
});

test('a token that never was one is refused', async () => {
  await expect(started.work('answer', { taskToken: 'x', output: '{}' })).rejects.toMatchObject({
    name: 'InvalidToken',
  });
});

test('the same name with the same input is the same execution while it runs, and taken afterwards', async () => {
  const name = randomUUID();
  const first = await begin('park', name);
  expect(await begin('park', name)).toBe(first);
  await expect(begin('other', name)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  await expect.poll(() => tokenOf(name)).not.toBeNull();
  await started.work('answer', { taskToken: await tokenOf(name), output: '{}' });
  await ended(first, 'SUCCEEDED');
  await expect(begin('park', name)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});

test('an execution that was running starts again with the service', async () => {
  const run = randomUUID();
  const arn = await begin('park', run);
  await expect.poll(() => tokenOf(run)).not.toBeNull();
  const lost = await tokenOf(run);
  await started.restart();
  await expect.poll(() => tokenOf(run)).not.toBe(lost);
  expect(execution(arn)).toMatchObject({ status: 'RUNNING' });
  await expect(started.work('answer', { taskToken: lost, output: '{}' })).rejects.toMatchObject({
    name: 'TaskTimedOut',
  });
  await started.work('answer', { taskToken: await tokenOf(run), output: '{}' });
  await ended(arn, 'SUCCEEDED');
});

test('a machine whose role may not invoke its function fails', async () => {
  const other = await startFixture((template) => {
    template.Resources.MachineRole = { Type: 'AWS::IAM::Role', Properties: {} };
  });
  const input = '{"run":"r","mode":"m"}';
  const { executionArn } = await other.work('start', { stateMachineArn: machine, input });
  const error = () => executionIn(other.dataDir, String(executionArn))?.error;
  await expect.poll(error).toBe('Lambda.AWSLambdaException');
  await other.end();
});

test('a machine sees a refused call of a function as an error of Lambda', async () => {
  const own = await startFixture(({ Resources }) => {
    const { Properties = {} } = Resources.Task as { Properties?: object };
    Object.assign(Properties, { ReservedConcurrentExecutions: 0 });
  });
  const input = JSON.stringify({ run: 'refused', mode: 'plain' });
  const { executionArn } = await own.work('start', { stateMachineArn: machine, name: 'refused', input });
  const find = () => executionIn(own.dataDir, String(executionArn));
  await expect.poll(find).toMatchObject({ status: 'FAILED', error: 'Lambda.TooManyRequestsException' });
  await own.end();
});
