// The embedded table engine with one table, for suites of what is written.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { startDynamoDb } from '../../lib/local/dynamodb/dynamodb-engine.ts';
import type { TableShape } from './table-shape.ts';

/** Lets the store of this process use the table of an engine. */
export function pointStoreAt(engineUrl: string): void {
  const { origin, username } = new URL(engineUrl);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: origin,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: username || 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: 'Table',
  });
}

/** Starts an engine with a table of this shape and points the store at it; returns what ends it. Every address is loopback. */
async function startTable(shape: TableShape): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'table-'));
  const engine = await startDynamoDb(folder);
  const stop = async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  pointStoreAt(engine.url);
  process.env.RECORD_INDEX_DIR = join(folder, 'records');
  const reply = await engine.forward('CreateTable', JSON.stringify({ TableName: 'Table', ...shape }));
  if (reply.status === 200) return stop;
  await stop();
  throw new Error(`the engine refused the table: ${reply.body}`);
}

/** Gives a suite a table of its own, from before its first test to after its last. */
export function useTable(): void {
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    stop = await startTable(inject('table'));
  });
  afterAll(() => stop?.());
}
