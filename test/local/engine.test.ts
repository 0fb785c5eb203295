// The database engine: out of the reach of others, started again when it dies, and given up when it dies again and again.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type DynamoDb, startDynamoDb } from '../../lib/local/dynamodb/dynamodb-engine.ts';
import { privateNetwork } from '../../lib/local/dynamodb/private-network.ts';
import { enginesOn } from '../support/engines.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'engine-'));
const network = privateNetwork();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) await end();
});

async function started(folder: string, options: Parameters<typeof startDynamoDb>[1] = {}): Promise<DynamoDb> {
  const engine = await startDynamoDb(folder, options);
  ends.push(engine.stop);
  return engine;
}

const table = JSON.stringify({
  TableName: 'Things',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
});

/** Its process id and the port that it was told to listen on. */
function engineOn(folder: string): { pid: number; port: number } {
  const [pid = 0, ...more] = enginesOn(folder);
  expect([pid > 0, more]).toEqual([true, []]);
  const [, port = ''] = /--port\0(\d+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? [];
  return { pid, port: Number(port) };
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

test.skipIf(network === undefined)(
  'no process of this machine finds a port of it, and no other user its socket',
  async () => {
    const folder = newFolder();
    const engine = await started(folder, { network });
    expect(await engine.answers()).toBe(true);
    expect(await connects(engineOn(folder).port)).toBe(false);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(engine.socket).toBe(join(folder, 'dynamodb.sock'));
  },
);

test.skipIf(network === undefined)(
  'a folder whose path is too long for a socket has one all the same',
  async () => {
    const folder = join(newFolder(), 'long'.repeat(30));
    mkdirSync(folder);
    expect(await (await started(folder, { network })).answers()).toBe(true);
  },
);

test.each([
  ['in a network of its own', network],
  ['in the network of all', undefined],
])('an engine %s that is killed is back on its data', async (_, at) => {
  const folder = newFolder();
  const engine = await started(folder, { network: at });
  await engine.forward('CreateTable', table);
  const item = JSON.stringify({ TableName: 'Things', Item: { pk: { S: 'kept' } } });
  expect((await engine.forward('PutItem', item)).status).toBe(200);
  const { pid } = engineOn(folder);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => enginesOn(folder)).not.toContain(pid);
  await expect.poll(engine.answers).toBe(true);
  const found = await engine.forward(
    'GetItem',
    JSON.stringify({ TableName: 'Things', Key: { pk: { S: 'kept' } } }),
  );
  expect(JSON.parse(String(found.body))).toHaveProperty('Item');
});

test('an engine that hangs does not count as one that answers', async () => {
  const folder = newFolder();
  const engine = await started(folder);
  const { pid } = engineOn(folder);
  process.kill(pid, 'SIGSTOP');
  expect(await engine.answers()).toBe(false);
  process.kill(pid, 'SIGCONT');
  expect(await engine.answers()).toBe(true);
});

test('an engine that dies again and again is given up, once, and says why', async () => {
  const folder = newFolder();
  const reasons: string[] = [];
  await started(folder, { lost: (reason) => void reasons.push(reason) });
  const program = join(folder, 'dies.sh');
  writeFileSync(program, '#!/bin/sh\nexit 1\n');
  chmodSync(program, 0o700);
  vi.stubEnv('DYNOXIDE_BIN', program);
  process.kill(engineOn(folder).pid, 'SIGKILL');
  await expect.poll(() => reasons).toEqual([expect.stringMatching(/^the DynamoDB engine died [^\n]+$/)]);
});

test('an engine whose file is damaged does not start, and the file is named', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'dynamodb.db'), Buffer.alloc(8192, 'garbage'));
  await expect(startDynamoDb(folder)).rejects.toThrow(join(folder, 'dynamodb.db'));
});
