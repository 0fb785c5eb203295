// CreateTable: a row that describes the table, and a table of SQLite for its items.
import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import type { JsonObject } from '../../json-values.ts';
import { type ItemTable, openItemTable, schemaOf } from './item-table.ts';
import { readDefinition } from './table-definition.ts';

export const TABLES_SCHEMA =
  'CREATE TABLE tables (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, input TEXT NOT NULL)';

/** Makes a table, inside a transaction of the file. Throws AwsError when it exists, or is not supported. */
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
