// The embedded engine with one in-memory table, or the engine of a judge in its place, for suites that check writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { openEngine } from '../../lib/local/dynamodb/engine/engine.ts';
import type { TableService } from '../../lib/local/dynamodb/engine/table-service.ts';
import { connectDynamoDb } from '../../lib/local/dynamodb/other-engine.ts';
import { type JsonObject, parseObject } from '../../lib/local/json-values.ts';
import { placeInOtherEngine } from './other-engine.ts';
import { storeOn } from './store-in-process.ts';

/** The input of an operation as it is sent: bytes are base64. */
function asText(input: JsonObject, operation: string): JsonObject {
  const text = JSON.stringify(input, function (this: Record<string, unknown>, name, value: unknown) {
    // `value` is what a Buffer makes of itself.
    const given = this[name];
    return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : value;
  });
  return parseObject(text, operation);
}

function openTables(): TableService {
  const place = placeInOtherEngine();
  if (place !== undefined) {
    const { perform, stop } = connectDynamoDb(place);
    // Some engines have one set of tables for all suites.
    const remove = () => perform('DeleteTable', { TableName: 'Table' });
    return {
      perform: (operation, input) => perform(operation, asText(input, operation)),
      stop: () => remove().then(stop),
    };
  }
  const engine = openEngine(':memory:');
  return { perform: async (operation, input) => engine.perform(operation, input), stop: engine.close };
}

/** Gives a suite its own table, from before its first test to after its last. */
export function useTable(): void {
  const folder = mkdtempSync(join(tmpdir(), 'table-'));
  const tables = openTables();
  beforeAll(async () => {
    const shape = parseObject(JSON.stringify({ TableName: 'Table', ...inject('table') }), 'table');
    await tables.perform('CreateTable', shape);
    storeOn(tables.perform);
    process.env.RECORD_INDEX_DIR = join(folder, 'records');
  });
  afterAll(async () => {
    await tables.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}
