// The items of one table in SQLite: one row each, with the item as JSON text and its keys as columns that sort as in
// DynamoDB.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Item } from './attribute-values.ts';
import type { RangeCondition } from './expressions/key-conditions.ts';
import { type Index, indexKeyOf, type StoredKey, type TableDefinition } from './table-definition.ts';

/** A stored item. */
interface StoredItem {
  /** The item as JSON text. */
  text: string;
  /** Its size in bytes as DynamoDB counts it. */
  bytes: number;
}

/** What a query or scan reads, in key order. */
export interface Reading {
  index: Index | undefined;
  /** Undefined: all partitions. */
  hash?: string;
  range?: RangeCondition | undefined;
  /** The key at which the previous page ended. */
  after?: { key: StoredKey; indexKey: StoredKey | undefined } | undefined;
  forward: boolean;
}

/** The rows of a table. All calls are synchronous. */
export interface ItemTable {
  definition: TableDefinition;
  get(key: StoredKey): StoredItem | undefined;
  put(key: StoredKey, item: Item, bytes: number): void;
  delete(key: StoredKey): void;
  /** Reads in order, for as long as the caller iterates. */
  read(reading: Reading): Iterable<StoredItem>;
}

/** The SQL that creates a table's rows; `number` identifies the table in the file. */
export function schemaOf({ indexes }: TableDefinition, number: number): string {
  const columns = indexes.map((_, i) => `, i${i}_hash TEXT, i${i}_range TEXT`).join('');
  const orders = indexes.map(
    (_, i) =>
      `CREATE INDEX items_${number}_i${i} ON items_${number} (i${i}_hash, i${i}_range, hash, range) WHERE i${i}_hash IS NOT NULL;`,
  );
  return `CREATE TABLE items_${number} (hash TEXT NOT NULL, range TEXT NOT NULL, bytes INTEGER NOT NULL${columns}, item TEXT NOT NULL,
    PRIMARY KEY (hash, range)); ${orders.join(' ')}`;
}

/** Opens the rows of an existing table. */
export function openItemTable(
  database: DatabaseSync,
  definition: TableDefinition,
  number: number,
): ItemTable {
  const rows = `items_${number}`;
  const { indexes } = definition;
  const columns = [
    'hash',
    'range',
    'bytes',
    'item',
    ...indexes.flatMap((_, i) => [`i${i}_hash`, `i${i}_range`]),
  ];
  const others = columns.slice(2).map((name) => `${name} = excluded.${name}`);
  const get = database.prepare(`SELECT item, bytes FROM ${rows} WHERE hash = ? AND range = ?`);
  const put = database.prepare(
    `INSERT INTO ${rows} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (hash, range) DO UPDATE SET ${others.join(', ')}`,
  );
  const remove = database.prepare(`DELETE FROM ${rows} WHERE hash = ? AND range = ?`);
  const prepared = new Map<string, StatementSync>();

  const indexKeysOf = (item: Item) =>
    indexes.flatMap((index) => {
      const key = indexKeyOf(index, item);
      return [key?.hash ?? null, key?.range ?? null];
    });

  function prepare(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }

  function* read(reading: Reading): Generator<StoredItem> {
    const { sql, values } = selection(reading, rows, indexes);
    for (const row of prepare(sql).iterate(...values)) yield storedItem(row);
  }

  return {
    definition,
    get({ hash, range }) {
      const row = get.get(hash, range);
      return row && storedItem(row);
    },
    put({ hash, range }, item, bytes) {
      put.run(hash, range, bytes, JSON.stringify(item), ...indexKeysOf(item));
    },
    delete: ({ hash, range }) => void remove.run(hash, range),
    read,
  };
}

function storedItem({ item, bytes }: Record<string, unknown>): StoredItem {
  return { text: String(item), bytes: Number(bytes) };
}

function selection(
  { index, hash, range, after, forward }: Reading,
  rows: string,
  indexes: readonly Index[],
): { sql: string; values: SQLInputValue[] } {
  const prefix = index ? `i${indexes.indexOf(index)}_` : '';
  const [hashColumn, rangeColumn] = [`${prefix}hash`, `${prefix}range`];
  const order = hash === undefined ? [hashColumn, rangeColumn] : [rangeColumn];
  if (index) order.push('hash', 'range');
  const where = index ? [`${hashColumn} IS NOT NULL`] : [];
  const values: SQLInputValue[] = [];
  const require = (condition: string, ...given: SQLInputValue[]) => {
    where.push(condition);
    values.push(...given);
  };
  if (hash !== undefined) require(`${hashColumn} = ?`, hash);
  if (range) for (const [condition, value] of rangeBounds(range, rangeColumn)) require(condition, value);
  if (after) {
    const { key, indexKey = key } = after;
    const from = hash === undefined ? [indexKey.hash, indexKey.range] : [indexKey.range];
    if (index) from.push(key.hash, key.range);
    require(`(${order.join(', ')}) ${forward ? '>' : '<'} (${order.map(() => '?').join(', ')})`, ...from);
  }
  const direction = forward ? '' : ' DESC';
  const condition = where.length > 0 ? ` WHERE ${where.join(' AND ')}` : '';
  const by = order.map((column) => column + direction).join(', ');
  return { sql: `SELECT item, bytes FROM ${rows}${condition} ORDER BY ${by}`, values };
}

function rangeBounds(range: RangeCondition, column: string): [condition: string, value: string][] {
  if (range.operator === 'between')
    return [
      [`${column} >= ?`, range.low],
      [`${column} <= ?`, range.high],
    ];
  const { operator, value } = range;
  if (operator !== 'begins_with') return [[`${column} ${operator} ?`, value]];
  const end = textAfterAll(value);
  return [
    [`${column} >= ?`, value],
    ...(end === undefined ? [] : [[`${column} < ?`, end] as [string, string]]),
  ];
}

const LAST_CODE_POINT = 0x10ffff;
const SURROGATES = { first: 0xd800, afterLast: 0xe000 };

/** The first text after all that start with a prefix; undefined if there is none. */
function textAfterAll(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === SURROGATES.first ? SURROGATES.afterLast : last + 1;
  return String.fromCodePoint(...points, next);
}
