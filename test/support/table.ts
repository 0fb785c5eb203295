// The embedded engine with one in-memory table, for suites that check writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { openEngine } from '../../lib/local/dynamodb/engine/engine.ts';
import { parseObject } from '../../lib/local/json-values.ts';
import { storeOn } from './store-in-process.ts';

/** Gives a suite its own table, from before its first test to after its last. */
export function useTable(): void {
  const folder = mkdtempSync(join(tmpdir(), 'table-'));
  const engine = openEngine(':memory:');
  beforeAll(() => {
    engine.perform(
      'CreateTable',
      parseObject(JSON.stringify({ TableName: 'Table', ...inject('table') }), 'table'),
    );
    storeOn(async (operation, input) => engine.perform(operation, input));
    process.env.RECORD_INDEX_DIR = join(folder, 'records');
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
}
