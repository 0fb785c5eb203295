// The tables of a file: each is a row with its CreateTable input, and a SQLite table of its items.
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { type JsonObject, parseObject } from '../../json-values.ts';
import { type ItemTable, openItemTable, schemaOf } from './item-table.ts';
import { invalid, noTable } from './refusals.ts';
import { readDefinition, type TableDefinition, tableNameOf } from './table-definition.ts';

export const TABLES_SCHEMA =
  'CREATE TABLE tables (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, input TEXT NOT NULL)';

/** Creates a table, within a transaction of the file. Throws AwsError when it exists or is not supported. */
export function createTable(database: DatabaseSync, input: JsonObject): void {
  const definition = readDefinition(input);
  const present = database.prepare('SELECT input FROM tables WHERE name = ?').get(definition.name);
  if (present) {
    const isSame = isDeepStrictEqual(
      inOrder(readDefinition(parseObject(String(present.input), 'table'))),
      inOrder(definition),
    );
    throw isSame
      ? new AwsError('ResourceInUseException', 'Cannot create preexisting table')
      : invalid(
          `${definition.name} was created by another version of the service: start that version, or another --data-dir`,
        );
  }
  const { lastInsertRowid } = database
    .prepare('INSERT INTO tables (name, input) VALUES (?, ?)')
    .run(definition.name, JSON.stringify(input));
  database.exec(schemaOf(definition, Number(lastInsertRowid)));
}

const inOrder = (definition: TableDefinition): TableDefinition => ({
  ...definition,
  indexes: definition.indexes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

/** The tables of a file, each opened at its first use. */
export interface Tables {
  /** The table that an input names. Throws AwsError when there is none. */
  find(input: JsonObject): ItemTable;
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

  return { find };
}
