// Functions in environments as on AWS: one invocation at a time, a disk of their own, frozen between invocations, over
// connections that may be dead when they go on.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loseConnections } from '../support/environments.ts';
import { type Started, startFixture } from './fixture/start.ts';

const DISK_BYTES = vi.hoisted(() => 1024 * 1024);
vi.mock(import('../../lib/local/lambda/host/worker.ts'), async (original) => {
  const { startEnvironment } = await import('../support/environments.ts');
  return { startWorker: startEnvironment((await original()).startWorker, DISK_BYTES) };
});
vi.mock(import('../../lib/local/lambda/host/function-threads.ts'), async () => {
  const { createExclusiveThreads } = await import('../support/environments.ts');
  return { createThreads: createExclusiveThreads };
});

let started: Started;
beforeAll(async () => {
  started = await startFixture();
});
afterAll(() => started.end());

const item = (pk: string) => ({ TableName: 'Table', Item: { pk: { S: pk } } });
const read = (pk: string) => started.work('get', { TableName: 'Table', Key: { pk: { S: pk } } });

test('calls at the same time have environments of their own, and the next call has a warm one', async () => {
  const disks = (await Promise.all([1, 2].map(() => started.work('env')))).map((env) => env.RECORD_INDEX_DIR);
  expect(new Set(disks).size).toBe(2);
  expect(disks).toContain((await started.work('env')).RECORD_INDEX_DIR);
});

test('a disk takes no more than its size', async () => {
  expect(await started.work('env')).toHaveProperty('RECORD_INDEX_DISK_MB', '1');
  await started.work('fill', DISK_BYTES);
  await expect(started.work('fill', DISK_BYTES + 1)).rejects.toThrow('no space left on device');
  await started.work('fill', 0);
});

test('what a call leaves behind goes on only with the next call of its environment', async () => {
  const other = started.work('sleep', 1500);
  await started.work('leave', item('left'));
  await other;
  expect(await read('left')).not.toHaveProperty('Item');
  await Promise.all([1, 2].map(() => started.work('sleep', 1000)));
  await expect.poll(() => read('left')).toHaveProperty('Item');
});

test('a request on a connection that died in the meantime is reset, and the next one has a new connection', async () => {
  await started.work('put', item('before'));
  loseConnections();
  await expect(started.work('put', item('lost'))).rejects.toThrow(/ECONNRESET|socket hang up/);
  await started.work('put', item('after'));
  expect(await read('after')).toHaveProperty('Item');
  expect(await read('lost')).not.toHaveProperty('Item');
});

test('a request on a connection that fell silent has no answer and no effect, until the service ends', async () => {
  await started.work('put', item('heard'));
  loseConnections('silence');
  const unheard = started.work('put', item('unheard')).catch((error: Error) => error.message);
  expect(await Promise.race([unheard, started.work('sleep', 1000)])).toBeNull();
  await started.restart();
  expect(await unheard).toContain('Runtime exited');
  expect(await read('heard')).toHaveProperty('Item');
  expect(await read('unheard')).not.toHaveProperty('Item');
});
