// The thread that owns the files: SQLite is synchronous, so it must not run where requests are served.
import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { type OperationInput, type OperationName, operations } from './operations.ts';
import { isDamage, openFile, removeFile } from './schema.ts';

/** `remove` is the only operation on a file that is not open. */
export type Request =
  | {
      [N in OperationName]: { call: number; file: string; operation: N; input: OperationInput<N> };
    }[OperationName]
  | { call: number; file: string; operation: 'remove'; input: undefined };

export type Reply = { call: number } & ({ output: unknown } | { error: string; damaged: boolean });

const open = new Map<string, DatabaseSync>();
/** The most open files; the least recently used one is closed first. */
const OPEN_MAX = 16;

function databaseOf(file: string): DatabaseSync {
  const database = open.get(file) ?? openFile(file);
  open.delete(file);
  open.set(file, database);
  if (open.size > OPEN_MAX) close(String(open.keys().next().value));
  return database;
}

function close(file: string): void {
  open.get(file)?.close();
  open.delete(file);
}

/** Operations on an index that is being built; all others query it. */
const building: ReadonlySet<OperationName> = new Set(['state', 'update', 'reset', 'claimBuild', 'unapplied']);

function carryOut({ file, operation, input }: Request): unknown {
  if (operation === 'remove') {
    close(file);
    removeFile(file);
    return undefined;
  }
  // The input belongs to the operation of the same message.
  const act = operations[operation] as (database: DatabaseSync, input: unknown) => unknown;
  const database = databaseOf(file);
  const output = act(database, input);
  // Another process may have emptied it since the caller updated it; a partial result would be wrong.
  if (!building.has(operation) && operations.state(database).incarnation === undefined)
    throw new Error('the index is not built');
  return output;
}

parentPort?.on('message', (request: Request) => {
  const { call } = request;
  try {
    parentPort?.postMessage({ call, output: carryOut(request) } satisfies Reply);
  } catch (error) {
    const damaged = isDamage(error);
    if (damaged) close(request.file);
    const text = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ call, error: text, damaged } satisfies Reply);
  }
});
