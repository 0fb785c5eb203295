// A thread that reads and writes index files: SQLite is synchronous, so it must not run where requests are served.
import type { DatabaseSync } from 'node:sqlite';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { chunks } from '#platform/chunks.ts';
import { applyChanges, type IndexedRecord, noChanges } from './apply.ts';
import { type Failure, failureOf, IndexDamaged } from './index-errors.ts';
import { isFollowing, type OpenFile, type OperationName, operations } from './index-operations.ts';
import { state } from './index-updates.ts';
import { requireParts } from './needs.ts';
import { closeDatabase } from './prepared-statements.ts';
import { type Allowance, checkReading, createReading, within } from './reading-limits.ts';
import { dropVectors, retainVectors } from './resident-vectors.ts';
import { attachFiles, openFile, openMemory } from './schema.ts';

/** An operation with its input on a file; `close` is the only one on a file that is not open. */
export interface Request {
  call: number;
  file: string;
  operation: OperationName | 'close';
  input: unknown;
  /** Performs it on these instead of the file. */
  items?: IndexedRecord[] | undefined;
  /** What the operation may use; absent: as much as it needs. */
  left: Allowance | undefined;
  /** From now on this thread, and no other of the process, retains vectors. */
  retains?: boolean | undefined;
}

/** `used` of what was left; `large`: the thread retains so much memory that another one should take its place. */
export type Reply = { call: number; used: Allowance; large: boolean } & (
  | { output: unknown }
  | { failure: Failure }
);

/** The number of the call that must stop, shared with the thread that waits for it. */
const stopped: Int32Array = workerData;

const open = new Map<string, DatabaseSync>();
/** The most open indexes; the least recently used one is closed first. Each of their files takes two descriptors. */
const OPEN_MAX = 8;
/** How many items are indexed before the limits of the reading are checked again. */
const ITEMS_AT_ONCE = 100;
const LARGE_HEAP_BYTES = 128 * 1024 * 1024;
/** The most bytes of vectors that stay in memory. */
const VECTORS_BYTES = 256 * 1024 * 1024;

function databaseOf(file: string): DatabaseSync {
  const database = open.get(file) ?? openFile(file);
  // What has come from the snapshot since.
  attachFiles(database);
  open.delete(file);
  open.set(file, database);
  if (open.size > OPEN_MAX) close(String(open.keys().next().value));
  return database;
}

function close(file: string): void {
  const database = open.get(file);
  if (!database) return;
  dropVectors(database);
  closeDatabase(database);
  open.delete(file);
}

/** An index in memory, in the order of the items. */
function memoryOf(items: IndexedRecord[]): DatabaseSync {
  const database = openMemory();
  for (const some of chunks(items, ITEMS_AT_ONCE)) {
    checkReading();
    applyChanges(database, { ...noChanges, records: some.map((entity) => ({ entity, vector: undefined })) });
  }
  return database;
}

function carryOut({ file, operation, input, items, retains }: Request): unknown {
  if (retains) retainVectors(VECTORS_BYTES);
  if (operation === 'close') return close(file);
  // The input belongs to the operation of the same message.
  const act = operations[operation] as (database: DatabaseSync, input: unknown, open: OpenFile) => unknown;
  if (items) {
    const memory = memoryOf(items);
    try {
      return act(memory, input, databaseOf);
    } finally {
      closeDatabase(memory);
    }
  }
  const used = new Set<DatabaseSync>();
  const use = (name: string) => {
    const database = databaseOf(name);
    requireParts(database, { file: name, operation, input });
    used.add(database);
    return database;
  };
  const output = act(use(file), input, use);
  // Another process may have emptied it since the caller updated it; a partial result would be wrong.
  for (const database of used)
    if (!isFollowing(operation) && state(database).incarnation === undefined)
      throw new IndexDamaged('the index is not built');
  return output;
}

const unlimited: Allowance = { ms: Number.POSITIVE_INFINITY, pairs: Number.POSITIVE_INFINITY };

parentPort?.on('message', (request: Request) => {
  const { call, left = unlimited } = request;
  const reading = createReading(left, {
    nowMs: () => performance.now(),
    isStopped: () => Atomics.load(stopped, 0) === call,
  });
  const post = (result: { output: unknown } | { failure: Failure }) => {
    const large = getHeapStatistics().total_heap_size > LARGE_HEAP_BYTES;
    parentPort?.postMessage({ call, used: reading.used(), large, ...result } satisfies Reply);
  };
  try {
    post({ output: within(reading, () => carryOut(request)) });
  } catch (error) {
    const failure = failureOf(error);
    // It may be another file than that of the request.
    if (failure.kind === 'damaged') for (const file of [...open.keys()]) close(file);
    post({ failure });
  }
});
