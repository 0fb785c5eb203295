// Data folders from before this engine: the tables of the engine that stood in its place are taken over, once and
// whole.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { unusable } from '../files/sqlite-file.ts';
import { parseObject } from '../json-values.ts';
import { readItem, sizeOfItem } from './engine/attribute-values.ts';
import { createTable } from './engine/create-table.ts';
import { openDatabase } from './engine/database.ts';
import { ENGINE_SCHEMA } from './engine/engine.ts';
import { keyOfItem } from './engine/table-definition.ts';

/**
 * Makes `file` of the tables in `before`, when there is only that. `before` goes last, so that a start that dies in
 * between begins anew. Throws SetupError when it cannot be read; nothing has changed then.
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
    // With the log all in the file, the file is all there is to rename.
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
