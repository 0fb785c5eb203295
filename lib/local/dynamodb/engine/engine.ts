// DynamoDB in this process: tables, items and transactions in one SQLite file. Unsupported requests are refused.
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { type JsonObject, messageOf } from '../../json-values.ts';
import { type CommitOrder, openCommitOrder, type SharedOrder } from './commit-order.ts';
import { type Database, openDatabase } from './database.ts';
import { type DurableCommits, openDurableCommits, type Sync } from './durable-commits.ts';
import { query, scan } from './pages.ts';
import { batchGetItem, type FindTable, getItem } from './reads.ts';
import { unknown } from './refusals.ts';
import { createTable, openTables, TABLES_SCHEMA } from './tables.ts';
import { openTokens, TOKENS_SCHEMA, type Tokens, transactWriteItems } from './transactions.ts';
import { batchWriteItem, singleWrite } from './writes.ts';

/** A connection to the tables of a file. */
export interface Engine {
  /**
   * Performs an operation synchronously and atomically. Input and output are DynamoDB's JSON; binaries of the input may
   * be bytes. Throws AwsError for what DynamoDB refuses. Reply to the caller only after `settled` has resolved.
   */
  perform(operation: string, input: JsonObject): JsonObject;
  /** Resolves once everything read and written so far is on disk. Rejects when the disk fails. */
  settled(): Promise<void>;
  /**
   * Removes what was deleted by batches from the file, as far as deletes leave it there: in the log, and in the unused
   * space of pages whose rows have moved. Throws when other threads keep the file busy.
   */
  forgetErased(): void;
  close(): Promise<void>;
}

/** What the threads that open one file share. */
export interface SharedFile {
  order: SharedOrder;
  /** Identifies this thread; not zero. */
  holder: number;
  /** Called when the file is found damaged: it cannot serve requests any more. */
  lost(reason: string): void;
  /** Replaces fdatasync in tests that cut the power. */
  sync?: Sync;
}

const DAMAGED = /malformed|not a database|corrupt/;

type Read = (input: JsonObject, find: FindTable) => JsonObject;
type PrepareWrite = (input: JsonObject, find: FindTable, tokens: Tokens) => () => JsonObject;

/** The schema of a new file. */
const ENGINE_SCHEMA = `${TABLES_SCHEMA}; ${TOKENS_SCHEMA}`;

const singleReads = new Map<string, Read>([
  ['GetItem', getItem],
  ['Query', query],
  ['Scan', scan],
]);
const writes = new Map<string, PrepareWrite>([
  ['PutItem', (input, find) => singleWrite('PutItem', input, find)],
  ['UpdateItem', (input, find) => singleWrite('UpdateItem', input, find)],
  ['DeleteItem', (input, find) => singleWrite('DeleteItem', input, find)],
  ['BatchWriteItem', batchWriteItem],
  ['TransactWriteItems', transactWriteItems],
]);

/**
 * Opens a file for this thread, or a private database in memory (`:memory:`). Throws SetupError when the file cannot be
 * used.
 */
export function openEngine(file: string, shared?: SharedFile): Engine {
  const order = shared && openCommitOrder(shared.order, shared.holder);
  const database = openDatabase(file, ENGINE_SCHEMA, order);
  const durable = order && openDurableCommits(file, order, shared.sync);
  return engineOn(database, { order, durable }, (problem) =>
    shared?.lost(`${file} is damaged (${problem}): restore it, or start with --reset`),
  );
}

/** Performs an operation and resolves with its reply once everything it depends on is on disk. */
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
  { order, durable }: { order: CommitOrder | undefined; durable: DurableCommits | undefined },
  damaged: (problem: string) => void,
): Engine {
  const { sqlite } = database;
  const tables = openTables(sqlite);
  const tokens = openTokens(sqlite);
  let forgotten = 0;

  function perform(operation: string, input: JsonObject): JsonObject {
    const read = singleReads.get(operation);
    if (read) return read(input, tables.find);
    if (operation === 'BatchGetItem') return database.reading(() => batchGetItem(input, tables.find));
    const write = writes.get(operation)?.(input, tables.find, tokens);
    if (write) {
      const output = database.writing(write);
      if (operation === 'BatchWriteItem') order?.addErased();
      return output;
    }
    if (operation === 'CreateTable') {
      database.writing(() => createTable(sqlite, input));
      return {};
    }
    throw unknown('the operation', operation);
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
    forgetErased() {
      const erased = order?.erased() ?? 0;
      if (erased === forgotten) return;
      database.compact();
      forgotten = erased;
    },
    async close() {
      await durable?.close();
      database.close();
    },
  };
}
