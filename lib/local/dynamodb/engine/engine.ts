// DynamoDB in this process: tables, items and transactions in one SQLite file. It refuses what it does not know.
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { isObject, type JsonObject, messageOf, parseObject } from '../../json-values.ts';
import { openCommitOrder, type SharedOrder } from './commit-order.ts';
import { createTable, TABLES_SCHEMA } from './create-table.ts';
import { type Database, openDatabase } from './database.ts';
import { type DurableCommits, openDurableCommits, type Sync } from './durable-commits.ts';
import { type ItemTable, openItemTable } from './item-table.ts';
import { query, scan } from './pages.ts';
import { batchGetItem, type FindTable, getItem, transactGetItems } from './reads.ts';
import { noTable } from './refusals.ts';
import { readDefinition, tableNameOf } from './table-definition.ts';
import { openTokens, TOKENS_SCHEMA, type Tokens, transactWriteItems } from './transactions.ts';
import { batchWriteItem, singleWrite } from './writes.ts';

/** A connection to the tables of a file. */
export interface Engine {
  /**
   * Carries out an operation at once and whole. Input and output are DynamoDB's JSON; binaries of the input may be
   * bytes. Throws AwsError for what DynamoDB refuses. The reply may be given to its caller only when `settled` has
   * resolved.
   */
  perform(operation: string, input: JsonObject): JsonObject;
  /** Resolves once all that was read and written so far is on disk. Rejects when the disk fails. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What threads on one file have in common. */
export interface SharedFile {
  order: SharedOrder;
  /** The name of this thread, not zero. */
  holder: number;
  /** Called when the file turns out to be damaged: nothing more can be served from it. */
  lost(reason: string): void;
  /** In place of fdatasync, for who judges what is on disk. */
  sync?: Sync;
}

const DAMAGED = /malformed|not a database|corrupt/;

type Read = (input: JsonObject, find: FindTable) => JsonObject;
type PrepareWrite = (input: JsonObject, find: FindTable, tokens: Tokens) => () => JsonObject;

/** What a new file holds. */
export const ENGINE_SCHEMA = `${TABLES_SCHEMA}; ${TOKENS_SCHEMA}`;

const singleReads = new Map<string, Read>([
  ['GetItem', getItem],
  ['Query', query],
  ['Scan', scan],
]);
const joinedReads = new Map<string, Read>([
  ['BatchGetItem', batchGetItem],
  ['TransactGetItems', transactGetItems],
]);
const writes = new Map<string, PrepareWrite>([
  ['PutItem', (input, find) => singleWrite('PutItem', input, find)],
  ['UpdateItem', (input, find) => singleWrite('UpdateItem', input, find)],
  ['DeleteItem', (input, find) => singleWrite('DeleteItem', input, find)],
  ['BatchWriteItem', batchWriteItem],
  ['TransactWriteItems', transactWriteItems],
]);

/**
 * Opens a file for this thread, or a database in memory (`:memory:`) that nobody else sees. Throws SetupError when the
 * file cannot be used.
 */
export function openEngine(file: string, shared?: SharedFile): Engine {
  const order = shared && openCommitOrder(shared.order, shared.holder);
  const database = openDatabase(file, ENGINE_SCHEMA, order);
  const durable = order && openDurableCommits(file, order, shared.sync);
  return engineOn(database, durable, (problem) =>
    shared?.lost(`${file} is damaged (${problem}): restore it, or start with --reset`),
  );
}

/** Performs an operation, and resolves with its reply once that may be given to the caller. */
export async function performDurably(
  engine: Engine,
  operation: string,
  input: JsonObject,
): Promise<JsonObject> {
  const output = engine.perform(operation, input);
  await engine.settled();
  return output;
}

function engineOn(
  database: Database,
  durable: DurableCommits | undefined,
  damaged: (problem: string) => void,
): Engine {
  const { sqlite } = database;
  const opened = new Map<string, ItemTable>();
  const findRow = sqlite.prepare('SELECT number, input FROM tables WHERE name = ?');
  const tokens = openTokens(sqlite);

  function find(input: JsonObject): ItemTable {
    const name = tableNameOf(input);
    const known = opened.get(name);
    if (known) return known;
    const row = findRow.get(name);
    if (!row) throw noTable();
    const table = openItemTable(
      sqlite,
      readDefinition(parseObject(String(row.input), name)),
      Number(row.number),
    );
    opened.set(name, table);
    return table;
  }

  function describeTable(input: JsonObject): JsonObject {
    const name = tableNameOf(input);
    const row = findRow.get(name);
    if (!row)
      throw new AwsError(
        'ResourceNotFoundException',
        `Requested resource not found: Table: ${name} not found`,
      );
    const table = find({ TableName: name });
    return { Table: { ...description(parseObject(String(row.input), name)), ItemCount: table.count() } };
  }

  function perform(operation: string, input: JsonObject): JsonObject {
    const read = singleReads.get(operation);
    if (read) return read(input, find);
    const joined = joinedReads.get(operation);
    if (joined) return database.reading(() => joined(input, find));
    const write = writes.get(operation)?.(input, find, tokens);
    if (write) return database.writing(write);
    if (operation === 'CreateTable') {
      database.writing(() => createTable(sqlite, input));
      return { TableDescription: description(input) };
    }
    if (operation === 'DescribeTable') return describeTable(input);
    throw new AwsError('UnknownOperationException', `The embedded engine does not know ${operation}.`);
  }

  return {
    perform(operation, input) {
      try {
        return perform(operation, input);
      } catch (error) {
        if (error instanceof AwsError) throw error;
        const problem = messageOf(error);
        if (DAMAGED.test(problem)) damaged(problem);
        throw new AwsError('InternalServerError', problem, 500);
      }
    },
    settled: () => durable?.settled() ?? Promise.resolve(),
    async close() {
      await durable?.close();
      database.close();
    },
  };
}

function description(input: JsonObject): JsonObject {
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
