// The file of the embedded engine: what it refuses to open, migrates, stores, and deletes.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSharedOrder } from '../../../lib/local/dynamodb/engine/commit-order.ts';
import { openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { takeOver } from '../../../lib/local/dynamodb/take-over.ts';
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

test('the tables of the engine before are taken over, and its file goes', async () => {
  const before = newFile('dynamodb.db');
  const file = join(before, '../tables.db');
  const old = new DatabaseSync(before);
  old.exec(`CREATE TABLE _tables (table_name TEXT PRIMARY KEY, key_schema TEXT, attribute_definitions TEXT,
    gsi_definitions TEXT, table_status TEXT); CREATE TABLE "Notes" (pk TEXT, sk TEXT, item_json TEXT)`);
  const [author, number, topic] = ['author', 'number', 'topic'];
  old.prepare('INSERT INTO _tables VALUES (?, ?, ?, ?, ?)').run(
    'Notes',
    JSON.stringify([
      { AttributeName: author, KeyType: 'HASH' },
      { AttributeName: number, KeyType: 'RANGE' },
    ]),
    JSON.stringify([
      { AttributeName: author, AttributeType: 'S' },
      { AttributeName: number, AttributeType: 'N' },
      { AttributeName: topic, AttributeType: 'S' },
    ]),
    JSON.stringify([
      {
        IndexName: 'ByTopic',
        KeySchema: [{ AttributeName: topic, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ]),
    'ACTIVE',
  );
  const note = { ...keyOf('ada', 7), topic: { S: 'engines' } };
  old.prepare('INSERT INTO "Notes" VALUES (?, ?, ?)').run('ada', '7', JSON.stringify(note));
  old.close();

  takeOver(before, file);
  expect(existsSync(before)).toBe(false);
  const engine = openEngine(file);
  expect(noteOf(engine, 'ada', 7)).toEqual(note);
  expect(ask(engine, 'Scan', { IndexName: 'ByTopic' })).toMatchObject({ Count: 1 });
  await engine.close();
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

test('a table of an earlier version gets a new index, with the items that it contains', async () => {
  const file = await fileWithTable();
  const engine = openEngine(file);
  put(engine, 'ada', 1, { at: { N: '2' } });
  put(engine, 'ada', 2, { at: { N: '1' } });
  put(engine, 'bea', 3, {});
  const Create = {
    IndexName: 'ByTime',
    KeySchema: [
      { AttributeName: 'author', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  };
  const AttributeDefinitions = ['author', 'topic', 'number', 'at'].map((AttributeName) => ({
    AttributeName,
    AttributeType: AttributeName === 'number' || AttributeName === 'at' ? 'N' : 'S',
  }));
  ask(engine, 'UpdateTable', { AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] });
  await engine.close();
  const again = openEngine(file);
  put(again, 'ada', 4, { at: { N: '3' } });
  const { Items } = ask(again, 'Query', {
    IndexName: 'ByTime',
    KeyConditionExpression: 'author = :ada',
    ExpressionAttributeValues: { ':ada': { S: 'ada' } },
  });
  expect(Items).toMatchObject([{ number: { N: '2' } }, { number: { N: '1' } }, { number: { N: '4' } }]);
  expect(() => ask(again, 'UpdateTable', { BillingMode: 'PROVISIONED' })).toThrow(/only add an index/);
  await again.close();
});
