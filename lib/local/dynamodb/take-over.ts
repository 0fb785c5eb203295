// Migrates data folders of the previous engine, once and atomically.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { unusable } from '../files/sqlite-file.ts';
import { parseObject } from '../json-values.ts';
import { readItem, sizeOfItem } from './engine/attribute-values.ts';
import { openDatabase } from './engine/database.ts';
import { ENGINE_SCHEMA } from './engine/engine.ts';
import { keyOfItem } from './engine/table-definition.ts';
import { createTable } from './engine/tables.ts';

/**
 * Creates `file` from the tables in `before`, if only that exists. Deletes `before` last, so that an interrupted start
 * repeats it. Throws SetupError when it cannot be read, having changed nothing.
 */
export function takeOver(before: string, file: string): void {
  if (!existsSync(before)) return;
  if (!existsSync(file)) {
    const made = `${file}.new`;
    remove(made);
    copy(before, made);
    renameSync(made, file);
  }
  remove(before);
}

function copy(before: string, made: string): void {
  const old = openOld(before);
  const { sqlite, writing, close } = openDatabase(made, ENGINE_SCHEMA, undefined);
  try {
    writing(() => {
      for (const row of old.prepare('SELECT * FROM _tables').all()) {
        const name = String(row.table_name);
        const indexes = parseList(row.gsi_definitions);
        const table = createTable(sqlite, {
          TableName: name,
          KeySchema: parseList(row.key_schema),
          AttributeDefinitions: parseList(row.attribute_definitions),
          ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
        });
        for (const { item_json } of old.prepare(`SELECT item_json FROM "${name}"`).iterate()) {
          const item = readItem(parseObject(String(item_json), before));
          table.put(keyOfItem(table.definition, item), item, sizeOfItem(item));
        }
      }
    });
    // Once the log is merged, the file alone is complete and can be renamed.
    sqlite.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw unusable(error, before);
  } finally {
    close();
    old.close();
  }
}

function openOld(file: string): DatabaseSync {
  const old = new DatabaseSync(file);
  try {
    old.prepare('SELECT count(*) FROM _tables').get();
    return old;
  } catch (error) {
    old.close();
    throw unusable(error, file);
  }
}

const parseList = (text: unknown) => (text === null ? [] : JSON.parse(String(text)));

function remove(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}
