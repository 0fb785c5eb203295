// The file of the embedded engine: what it refuses to open, stores, and deletes.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../../../lib/local/dynamodb/embedded-engine.ts';
import { createSharedOrder } from '../../../lib/local/dynamodb/engine/commit-order.ts';
import { openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { SetupError } from '../../../lib/local/setup-error.ts';
import { ask, keyOf, makeTable, noteOf, put } from './small-table.ts';

const newFile = (name = 'tables.db') => join(mkdtempSync(join(tmpdir(), 'engine-file-')), name);

async function fileWithTable(): Promise<string> {
  const file = newFile();
  const engine = openEngine(file);
  makeTable(engine);
  await engine.close();
  return file;
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test('deleted data cannot be found in the file', async () => {
  const file = await fileWithTable();
  const secret = 'a secret that nobody is to find';
  const engine = openEngine(file);
  put(engine, 'ada', 1, { text: { S: secret } });
  put(engine, 'ada', 2, { text: { S: 'still there' } });
  await engine.close();
  expect(readFileSync(file).includes(secret)).toBe(true);
  const again = openEngine(file);
  ask(again, 'DeleteItem', { Key: keyOf('ada', 1) });
  await again.close();
  change(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
  expect(readFileSync(file).includes(secret)).toBe(false);
  expect(readFileSync(file).includes('still there')).toBe(true);
});

test('a file of a newer version is refused in one line', async () => {
  const file = await fileWithTable();
  change(file, 'PRAGMA user_version = 1000');
  expect(() => openEngine(file)).toThrow(SetupError);
  expect(() => openEngine(file)).toThrow(
    /^\S+tables\.db was written by a newer version of the service: [^\n]+$/,
  );
});

test('a foreign database is refused in one line, and stays unchanged', () => {
  const file = newFile();
  change(file, 'CREATE TABLE mine (a)');
  const before = readFileSync(file);
  expect(() => openEngine(file)).toThrow(SetupError);
  expect(() => openEngine(file)).toThrow(/^\S+tables\.db is not of this engine: [^\n]+$/);
  expect(readFileSync(file)).toEqual(before);
});

test('who reads what another has written waits until it is on disk', async () => {
  const file = await fileWithTable();
  const order = createSharedOrder();
  const { promise: onDisk, resolve: disk } = Promise.withResolvers<void>();
  const shared = { order, lost: () => {}, sync: () => onDisk };
  const [writer, reader] = [
    openEngine(file, { ...shared, holder: 1 }),
    openEngine(file, { ...shared, holder: 2 }),
  ];
  put(writer, 'ada', 1);
  expect(noteOf(reader, 'ada', 1)).toEqual(keyOf('ada', 1));
  let isTold = false;
  const told = reader.settled().then(() => {
    isTold = true;
  });
  await new Promise(setImmediate);
  expect(isTold).toBe(false);
  disk();
  await told;
  await writer.close();
  await reader.close();
});

test('a table that another version created differently is refused in one line', async () => {
  const file = await fileWithTable();
  const engine = openEngine(file);
  put(engine, 'ada', 1);
  expect(() => makeTable(engine)).toThrow('preexisting');
  const create = () => makeTable(engine, []);
  expect(create).toThrow(/^Notes was created by another version of the service: [^\n]+$/);
  expect(noteOf(engine, 'ada', 1)).toEqual(keyOf('ada', 1));
  await engine.close();
});

test('a folder with the tables of the engine before this one is refused in one line, and stays unchanged', async () => {
  const file = newFile();
  const earlier = join(dirname(file), 'dynamodb.db');
  writeFileSync(earlier, 'tables');
  const open = () => openEmbeddedEngine(file, () => undefined);
  expect(open).toThrow(SetupError);
  expect(open).toThrow(/^\S+dynamodb\.db has the tables of an earlier version: [^\n]+ --data-dir$/);
  expect(readFileSync(earlier, 'utf8')).toBe('tables');
  // A folder that was taken over has both.
  await openEngine(file).close();
  await open().stop();
});
