// Functions on the local Lambda host: failures, limits, the Invoke API, access to services and the role check.
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeAll(async () => {
  started = await startFixture();
});
afterAll(() => started.end());
afterEach(() => started.faults.clear());

const refOf = (id: string) => started.runtime.stack.resources.get(id)?.attributes.ref ?? '';
const item = (pk: string) => ({ TableName: 'Table', Item: { pk: { S: pk } } });

test('a function that throws fails with its error', async () => {
  await expect(started.work('fail', 'OrderLost')).rejects.toMatchObject({
    name: 'OrderLost',
    message: 'as asked',
  });
});

test('a function past its timeout fails, and the next call has a new worker', async () => {
  await expect(started.call('Slow', { action: 'sleep' })).rejects.toMatchObject({
    name: 'Sandbox.Timedout',
    message: expect.stringContaining('Task timed out after 3.00 seconds'),
  });
  expect(await started.call('Slow', { action: 'env' })).toHaveProperty('TABLE', 'Table');
});

test('the time that a function takes to start does not count', async () => {
  expect(await started.call('SlowStart', { action: 'env' })).toHaveProperty('START_MS', '1500');
});

test('a busy loop is ended at the timeout too', async () => {
  await expect(started.call('Slow', { action: 'spin' })).rejects.toMatchObject({ name: 'Sandbox.Timedout' });
  expect(await started.call('Slow', { action: 'env' })).toHaveProperty('TABLE', 'Table');
});

test.each(['exit', 'stray'])(
  'a worker that ends by %s fails its calls, and the next call has a new one',
  async (how) => {
    await expect(started.work(how)).rejects.toMatchObject({ name: 'Runtime.ExitError' });
    expect(await started.work('env')).toHaveProperty('TABLE', 'Table');
  },
);

test('a killed worker fails its calls', async () => {
  const call = expect(started.work('sleep', 60_000)).rejects.toMatchObject({ name: 'Runtime.ExitError' });
  await started.runtime.lambda.kill('Work');
  await call;
});

test('while a task holds its thread, the next calls are answered by another one', async () => {
  const { lambda } = started.runtime;
  let ended = false;
  const held = lambda.invokeTask(refOf('Work'), JSON.stringify({ action: 'spin' }), false).then(() => {
    ended = true;
  });
  const answered = () => lambda.invoke(refOf('Work'), JSON.stringify({ action: 'env' }));
  // Calls that come before the other thread is ready wait with the task.
  const soon = () => new Promise<undefined>((resolve) => setTimeout(resolve, 200, undefined));
  await expect.poll(async () => (await Promise.race([answered(), soon()]))?.ok).toBe(true);
  expect(ended).toBe(false);
  await lambda.kill(refOf('Work'));
  await held;
});

test.runIf(process.platform === 'linux')('requests go before what nobody waits for', async () => {
  const { nice } = await started.work('priority');
  const reply = await fetch(`${started.runtime.base_url}/things/1?mode=priority`);
  expect(nice).toBeGreaterThan(Number(await reply.text()));
});

test('one worker serves many calls at once', async () => {
  const calls = Array.from({ length: 20 }, () => started.work('meet', 20));
  expect(await Promise.all(calls)).toEqual(Array(20).fill({ met: 20 }));
});

test('a function sees the variables of the template and nothing of the shell', async () => {
  const env = await started.work('env');
  expect(env).toMatchObject({ TABLE: 'Table', AWS_LAMBDA_FUNCTION_NAME: 'Work', AWS_REGION: 'us-east-1' });
  expect(env).not.toHaveProperty('PATH');
  expect(env).not.toHaveProperty('HOME');
});

test('an answer over 6 MB fails', async () => {
  await expect(started.work('big', 7 * 1024 * 1024)).rejects.toMatchObject({
    name: 'Function.ResponseSizeTooLarge',
  });
});

test('what a function prints goes to its log', async () => {
  const { readFile } = await import('node:fs/promises');
  await started.work('log', 'a line of its own');
  await expect
    .poll(() => readFile(`${started.dataDir}/logs/Work.log`, 'utf8'))
    .toContain('a line of its own');
});

function operator(accessKeyId = started.runtime.operator.access_key_id): LambdaClient {
  const { lambda_endpoint: endpoint, region, secret_access_key: secretAccessKey } = started.runtime.operator;
  return new LambdaClient({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  });
}

test('the operator invokes over the wire', async () => {
  const Payload = JSON.stringify({ action: 'fail', input: 'Known' });
  const failed = await operator().send(new InvokeCommand({ FunctionName: 'Work', Payload }));
  expect(failed.FunctionError).toBe('Unhandled');
  expect(JSON.parse(Buffer.from(failed.Payload ?? []).toString())).toMatchObject({ errorType: 'Known' });
  const missing = operator().send(new InvokeCommand({ FunctionName: 'Nothing', Payload }));
  await expect(missing).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('an unknown access key is refused', async () => {
  const call = operator('SOMEBODY').send(new InvokeCommand({ FunctionName: 'Work', Payload: '{}' }));
  await expect(call).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
});

test('what a role grants is allowed, by service', async () => {
  await started.work('put', item('granted'));
  await started.work('upload', { Bucket: 'bucket', Key: 'a/b c', Body: 'text', ContentType: 'text/plain' });
  expect(await started.work('download', { Bucket: 'bucket', Key: 'a/b c' })).toEqual({
    text: 'text',
    type: 'text/plain',
  });
  const { SecretString } = await started.work('secret', { SecretId: refOf('Secret') });
  expect(SecretString).toMatch(/^[A-Za-z0-9]{64}$/);
});

test.each([
  [
    'an operation of a transaction',
    'transact',
    { TransactItems: [{ Put: item('a') }, { Delete: { TableName: 'Table', Key: { pk: { S: 'b' } } } }] },
    'AccessDeniedException',
  ],
  ['another table', 'put', { ...item('x'), TableName: 'Other' }, 'AccessDeniedException'],
  ['another bucket', 'upload', { Bucket: 'other', Key: 'k', Body: 'x' }, 'AccessDenied'],
  [
    'another function’s queue',
    'send',
    { QueueUrl: 'http://127.0.0.1/0/Dead', MessageBody: 'x' },
    'AccessDenied',
  ],
])('%s that the role lacks is refused', async (_, action, input, name) => {
  const place = action === 'send' ? { ...input, QueueUrl: refOf('Dead') } : input;
  await expect(started.work(action, place)).rejects.toMatchObject({ name: expect.stringContaining(name) });
});

test('a cipher text opens only with its context', async () => {
  const EncryptionContext = { workspace: 'a' };
  const { blob } = await started.work('encrypt', { KeyId: refOf('Key'), text: 'secret', EncryptionContext });
  expect(await started.work('decrypt', { blob, EncryptionContext })).toEqual({ text: 'secret' });
  const other = started.work('decrypt', { blob, EncryptionContext: { workspace: 'b' } });
  await expect(other).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
});

test('calls and capacity are counted', async () => {
  started.usage.reset();
  await started.work('put', item('counted'));
  await started.work('get', { TableName: 'Table', Key: { pk: { S: 'counted' } }, ConsistentRead: true });
  expect(started.usage.tally()).toEqual({
    calls: { 'Work dynamodb:PutItem': 1, 'Work dynamodb:GetItem': 1 },
    read_units: 1,
    read_units_by_function: { Work: 1 },
    write_units: 1,
  });
});

test('a transaction in conflict is cancelled with a reason per item', async () => {
  started.faults.add((call) => (call.operation === 'TransactWriteItems' ? { kind: 'conflict' } : undefined));
  const call = started.work('transact', { TransactItems: [{ Put: item('a') }] });
  await expect(call).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message: expect.stringContaining('[TransactionConflict]'),
  });
});

test('of a batch that is carried out in part, the reply names the rest', async () => {
  const keys = ['one', 'two', 'three'];
  for (const pk of keys) await started.work('put', item(pk));
  started.faults.add(() => ({ kind: 'partial' }));
  const Keys = keys.map((pk) => ({ pk: { S: pk } }));
  expect(
    await started.work('batch', { RequestItems: { Table: { Keys, ConsistentRead: true } } }),
  ).toMatchObject({
    Responses: { Table: [{ pk: { S: expect.any(String) } }, { pk: { S: expect.any(String) } }] },
    UnprocessedKeys: { Table: { Keys: [{ pk: { S: 'three' } }], ConsistentRead: true } },
  });
});

test('a throttled call fails, a lost one fails after it took effect', async () => {
  const remove = started.faults.add(() => ({ kind: 'throttle' }));
  await expect(started.work('put', item('throttled'))).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
  });
  remove();
  started.faults.add((call) => (call.operation === 'PutItem' ? { kind: 'lost' } : undefined));
  await expect(started.work('put', item('lost'))).rejects.toMatchObject({ name: 'InternalServerError' });
  const read = (pk: string) => started.work('get', { TableName: 'Table', Key: { pk: { S: pk } } });
  expect(await read('lost')).toHaveProperty('Item');
  expect(await read('throttled')).not.toHaveProperty('Item');
});

/** How many messages of a queue are in a state. */
const messages = (queueAndState: string) => started.runtime.services.get('sqs')?.figures?.()[queueAndState];

test('a call beyond the reserved concurrency of its function is refused over the wire', async () => {
  const call = operator().send(new InvokeCommand({ FunctionName: 'Full', Payload: '{}' }));
  await expect(call).rejects.toMatchObject({ name: 'TooManyRequestsException' });
  expect(started.runtime.lambda.counts()).not.toHaveProperty('Full');
});

test('an asynchronous call is retried twice, or as often as its function declares', async () => {
  const times = (name: string) => started.runtime.lambda.counts()[name] ?? 0;
  const before = times('Work');
  for (const name of ['Once', 'Work'])
    started.runtime.lambda.invokeLater(name, JSON.stringify({ action: 'fail', input: 'Lost' }));
  await expect.poll(() => times('Work') - before, { timeout: 10_000 }).toBe(3);
  expect(times('Once')).toBe(1);
});

test('an asynchronous call waits for concurrency, but no longer than its age allows', async () => {
  const { lambda } = started.runtime;
  const times = () => lambda.counts().Busy ?? 0;
  const invoked = (action: string, input?: number) =>
    lambda.invoke('Busy', JSON.stringify({ action, input }));
  const later = () => lambda.invokeLater('Busy', JSON.stringify({ action: 'env' }));
  await invoked('env');
  await Promise.all([invoked('sleep', 500), later()]);
  await expect.poll(times).toBe(3);
  await Promise.all([invoked('sleep', 2_500), later()]);
  // Longer than until it would be tried again, now that the function is free.
  await started.work('sleep', 1_500);
  expect(times()).toBe(4);
});

test('a rule starts its function', async () => {
  const tick = () => started.work('get', { TableName: 'Table', Key: { pk: { S: 'tick' } } });
  await expect.poll(tick).toMatchObject({ Item: { kind: { S: 'Scheduled Event' } } });
});

test('a message is handed to its consumer once and is gone', async () => {
  await started.work('send', { QueueUrl: refOf('Queue'), MessageBody: 'good-1' });
  const row = () => started.work('get', { TableName: 'Table', Key: { pk: { S: 'good-1' } } });
  await expect.poll(row).toMatchObject({ Item: { receives: { S: '1' } } });
  await expect.poll(() => messages('Queue.in_flight')).toBe(0);
});

test('a message that keeps failing ends among the dead letters, and only it', async () => {
  await started.work('send', { QueueUrl: refOf('Queue'), MessageBody: 'bad-1' });
  await expect.poll(() => messages('Dead.ready')).toBe(1);
});
