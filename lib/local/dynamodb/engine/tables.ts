// The tables of a file: each is a row with its CreateTable input, and a SQLite table of its items.
import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { isObject, type Json, type JsonObject, parseObject } from '../../json-values.ts';
import { type ItemTable, indexSchemaOf, openItemTable, schemaOf } from './item-table.ts';
import { noTable } from './refusals.ts';
import { readDefinition, tableNameOf } from './table-definition.ts';

export const TABLES_SCHEMA =
  'CREATE TABLE tables (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, input TEXT NOT NULL)';

/** Creates a table, within a transaction of the file. Throws AwsError when it exists or is not supported. */
export function createTable(database: DatabaseSync, input: JsonObject): ItemTable {
  const definition = readDefinition(input);
  if (database.prepare('SELECT 1 FROM tables WHERE name = ?').get(definition.name))
    throw new AwsError('ResourceInUseException', 'Cannot create preexisting table');
  const { lastInsertRowid } = database
    .prepare('INSERT INTO tables (name, input) VALUES (?, ?)')
    .run(definition.name, JSON.stringify(input));
  const number = Number(lastInsertRowid);
  database.exec(schemaOf(definition, number));
  return openItemTable(database, definition, number);
}

/**
 * Adds an index to a table and enters the items that it contains, within a transaction of the file. Throws AwsError for
 * any other change.
 */
export function addIndex(database: DatabaseSync, input: JsonObject): void {
  const row = database.prepare('SELECT number, input FROM tables WHERE name = ?').get(tableNameOf(input));
  if (!row) throw noTable();
  const before = parseObject(String(row.input), 'table');
  const [update] = Array.isArray(input.GlobalSecondaryIndexUpdates) ? input.GlobalSecondaryIndexUpdates : [];
  const created = isObject(update) ? update.Create : undefined;
  if (!created) throw new AwsError('ValidationException', 'The embedded engine can only add an index.');
  const indexes = [...listOf(before.GlobalSecondaryIndexes), created];
  const after = {
    ...before,
    AttributeDefinitions: input.AttributeDefinitions,
    GlobalSecondaryIndexes: indexes,
  };
  const number = Number(row.number);
  const definition = readDefinition(after);
  database.exec(indexSchemaOf(number, indexes.length - 1));
  database.prepare('UPDATE tables SET input = ? WHERE number = ?').run(JSON.stringify(after), number);
  openItemTable(database, definition, number).enterInIndexes();
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The tables of a file, each opened at its first use. */
export interface Tables {
  /** The table that an input names. Throws AwsError when there is none. */
  find(input: JsonObject): ItemTable;
  /** DescribeTable. */
  describe(input: JsonObject): JsonObject;
}

export function openTables(database: DatabaseSync): Tables {
  const opened = new Map<string, ItemTable>();
  const findRow = database.prepare('SELECT number, input FROM tables WHERE name = ?');

  function find(input: JsonObject): ItemTable {
    const name = tableNameOf(input);
    const known = opened.get(name);
    if (known) return known;
    const row = findRow.get(name);
    if (!row) throw noTable();
    const definition = readDefinition(parseObject(String(row.input), name));
    const table = openItemTable(database, definition, Number(row.number));
    opened.set(name, table);
    return table;
  }

  return {
    find,
    describe(input) {
      const name = tableNameOf(input);
      const row = findRow.get(name);
      if (!row)
        throw new AwsError(
          'ResourceNotFoundException',
          `Requested resource not found: Table: ${name} not found`,
        );
      return { Table: { ...describe(parseObject(String(row.input), name)), ItemCount: find(input).count() } };
    },
  };
}

/** A table as CreateTable and DescribeTable report it, from the input that created it. */
export function describe(input: JsonObject): JsonObject {
  const indexes = Array.isArray(input.GlobalSecondaryIndexes) ? input.GlobalSecondaryIndexes : [];
  return {
    TableName: tableNameOf(input),
    AttributeDefinitions: input.AttributeDefinitions,
    KeySchema: input.KeySchema,
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode: input.BillingMode ?? 'PAY_PER_REQUEST' },
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        ...(isObject(index) && index),
        IndexStatus: 'ACTIVE',
      })),
    }),
  };
}
