// A disk that is full in the middle of a write: what was acknowledged stays, what nobody can repeat waits for room, and
// the service goes on once there is some.
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createSharedOrder } from '../../lib/local/dynamodb/engine/commit-order.ts';
import { openDatabase } from '../../lib/local/dynamodb/engine/database.ts';
import { openEngine } from '../../lib/local/dynamodb/engine/engine.ts';
import { onceThereIsRoom } from '../../lib/local/files/sqlite-file.ts';
import { ask, keyOf, makeTable, noteOf, put } from './dynamodb/small-table.ts';
import { executionIn } from './fixture/executions.ts';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeAll(async () => {
  started = await startFixture();
});
afterAll(() => started.end());
afterEach(() => vi.restoreAllMocks());

const full = () =>
  Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });

/** The disk is full for writes whose SQL begins so, in this thread; returns how many were refused. */
function fillFor(begins: string): () => number {
  let refused = 0;
  const { run } = StatementSync.prototype;
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    if (!this.sourceSQL.trim().startsWith(begins)) return Reflect.apply(run, this, values);
    refused += 1;
    throw full();
  });
  return () => refused;
}

const newFile = () => join(mkdtempSync(join(tmpdir(), 'full-disk-')), 'tables.db');

test('a transaction that the disk has no room for leaves nothing, and the next one works once there is room', () => {
  const database = openDatabase(
    newFile(),
    'CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT)',
    undefined,
  );
  const { sqlite } = database;
  const add = sqlite.prepare('INSERT INTO notes VALUES (?, ?)');
  const numbers = () =>
    sqlite
      .prepare('SELECT number FROM notes')
      .all()
      .map(({ number }) => number);
  const note = 'x'.repeat(3000);
  const addTen = (from: number) =>
    database.writing(() => {
      for (let number = from; number < from + 10; number += 1) add.run(number, note);
    });
  addTen(0);
  const pages = Number(sqlite.prepare('PRAGMA page_count').get()?.page_count);
  sqlite.exec(`PRAGMA max_page_count = ${pages + 4}`);
  expect(() => addTen(10)).toThrow('database or disk is full');
  expect(numbers()).toHaveLength(10);
  database.writing(() => add.run(10, note));
  expect(() => addTen(11)).toThrow('database or disk is full');
  sqlite.exec(`PRAGMA max_page_count = ${pages * 100}`);
  addTen(11);
  expect(numbers()).toEqual(Array.from({ length: 21 }, (_, number) => number));
  database.close();
});

test('a write that the table has no room for is refused as a fault of the service, which clients repeat', () => {
  const engine = openEngine(':memory:');
  makeTable(engine);
  put(engine, 'ada', 1);
  fillFor('COMMIT');
  expect(() => put(engine, 'ada', 2)).toThrow(
    expect.objectContaining({ code: 'InternalServerError', status: 500 }),
  );
  expect(noteOf(engine, 'ada', 2)).toBeUndefined();
  vi.restoreAllMocks();
  put(engine, 'ada', 2);
  expect(ask(engine, 'Scan', {})).toMatchObject({ Count: 2 });
});

test('what the disk has no room to make durable is not acknowledged', async () => {
  const noRoom = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' });
  let disk: () => Promise<void> = () => Promise.reject(noRoom);
  const shared = { order: createSharedOrder(), holder: 1, lost: () => {}, sync: () => disk() };
  const engine = openEngine(newFile(), shared);
  makeTable(engine);
  put(engine, 'ada', 1);
  await expect(engine.settled()).rejects.toThrow('ENOSPC');
  expect(noteOf(engine, 'ada', 1)).toEqual(keyOf('ada', 1));
  await expect(engine.settled()).rejects.toThrow('ENOSPC');
  disk = () => Promise.resolve();
  await engine.settled();
  await engine.close();
});

test('an execution ends once there is room for its end', async () => {
  const refusals = fillFor('UPDATE executions');
  const name = randomUUID();
  const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine';
  const input = JSON.stringify({ run: name, mode: 'plain' });
  const reply = await started.work('start', { stateMachineArn: machine, name, input });
  const status = () => executionIn(started.dataDir, String(reply.executionArn))?.status;
  await expect.poll(refusals).toBeGreaterThan(1);
  expect(status()).toBe('RUNNING');
  vi.restoreAllMocks();
  await expect.poll(status).toBe('SUCCEEDED');
});

test.each(['UPDATE messages', 'DELETE FROM messages'])(
  'a message is handled and gone once there is room (%s)',
  async (begins) => {
    const refusals = fillFor(begins);
    const body = randomUUID();
    const QueueUrl = await started.work('env').then(({ QUEUE }) => QUEUE);
    await started.work('send', { QueueUrl, MessageBody: body });
    await expect.poll(refusals).toBeGreaterThan(1);
    vi.restoreAllMocks();
    const read = () => started.work('get', { TableName: 'Table', Key: { pk: { S: body } } });
    await expect.poll(read).toHaveProperty('Item');
    const left = () => Object.values(started.runtime.services.get('sqs')?.figures?.() ?? {});
    await expect.poll(left).toEqual(left().map(() => 0));
  },
);

test('a write that fails for another reason than room, or is no longer wanted, is not tried again', async () => {
  let tries = 0;
  const fails = (error: Error) => () => {
    tries += 1;
    throw error;
  };
  await expect(onceThereIsRoom(fails(new Error('constraint')), () => true)).rejects.toThrow('constraint');
  expect(tries).toBe(1);
  expect(await onceThereIsRoom(fails(full()), () => tries < 2)).toBeUndefined();
  expect(tries).toBe(2);
});
