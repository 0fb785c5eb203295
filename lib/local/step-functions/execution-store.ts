// Executions on disk: their input and their ending. Histories of the latest ones are in memory.
import { openSqliteFile } from '../files/sqlite-file.ts';
import type { JsonObject } from '../json-values.ts';

/** A stored execution. Times are epoch ms. */
export interface StoredExecution {
  arn: string;
  machine: string;
  name: string;
  /** JSON text, as received. */
  input: string;
  status: string;
  output: string | null;
  error: string | null;
  cause: string | null;
  started_at: number;
  stopped_at: number | null;
}

/** How an execution ended. */
export type Ending = Pick<StoredExecution, 'status' | 'output' | 'error' | 'cause'>;

export interface ExecutionStore {
  find(arn: string): StoredExecution | undefined;
  add(execution: Pick<StoredExecution, 'arn' | 'machine' | 'name' | 'input' | 'started_at'>): void;
  /** Ends a running execution; no effect if it has ended. */
  end(arn: string, ending: Ending): void;
  running(): StoredExecution[];
  /** Newest first, at most 1,000. */
  list(machine: string, status: string | null): StoredExecution[];
  record(arn: string, type: string, details?: JsonObject): void;
  history(arn: string): JsonObject[];
  close(): void;
}

const HISTORIES_MAX = 500;
/** After this time AWS allows a name to be reused. */
const NAME_REUSE_MS = 90 * 86_400_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS executions (arn TEXT PRIMARY KEY, machine TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
    status TEXT NOT NULL, output TEXT, error TEXT, cause TEXT, started_at INTEGER NOT NULL, stopped_at INTEGER);
  CREATE INDEX IF NOT EXISTS by_status ON executions (status);
  CREATE INDEX IF NOT EXISTS by_machine ON executions (machine, started_at);`;

/** Opens the file. Throws SetupError when it is damaged. */
export function openExecutionStore(file: string): ExecutionStore {
  const db = openSqliteFile(file, SCHEMA);
  db.prepare('DELETE FROM executions WHERE stopped_at < ?').run(Date.now() - NAME_REUSE_MS);
  const find = db.prepare('SELECT * FROM executions WHERE arn = ?');
  const add = db.prepare("INSERT INTO executions VALUES (?, ?, ?, ?, 'RUNNING', NULL, NULL, NULL, ?, NULL)");
  const end = db.prepare(
    "UPDATE executions SET status = ?, output = ?, error = ?, cause = ?, stopped_at = ? WHERE arn = ? AND status = 'RUNNING'",
  );
  const running = db.prepare("SELECT * FROM executions WHERE status = 'RUNNING'");
  const list = db.prepare(
    'SELECT * FROM executions WHERE machine = ?1 AND (?2 IS NULL OR status = ?2) ORDER BY started_at DESC LIMIT 1000',
  );
  const histories = new Map<string, JsonObject[]>();
  return {
    find: (arn) => [find.get(arn)].flatMap((row) => (row ? [stored(row)] : []))[0],
    add: ({ arn, machine, name, input, started_at }) => void add.run(arn, machine, name, input, started_at),
    end: (arn, { status, output, error, cause }) =>
      void end.run(status, output, error, cause, Date.now(), arn),
    running: () => running.all().map(stored),
    list: (machine, status) => list.all(machine, status).map(stored),
    record(arn, type, details = {}) {
      const events = histories.get(arn) ?? [];
      const id = events.length + 1;
      events.push({ id, previousEventId: id - 1, timestamp: Date.now() / 1000, type, ...details });
      histories.set(arn, events);
      const oldest = histories.size > HISTORIES_MAX ? histories.keys().next().value : undefined;
      if (oldest !== undefined) histories.delete(oldest);
    },
    history: (arn) => histories.get(arn) ?? [],
    close: () => db.close(),
  };
}

function stored(row: Record<string, unknown>): StoredExecution {
  const text = (value: unknown) => (value === null ? null : String(value));
  return {
    arn: String(row.arn),
    machine: String(row.machine),
    name: String(row.name),
    input: String(row.input),
    status: String(row.status),
    output: text(row.output),
    error: text(row.error),
    cause: text(row.cause),
    started_at: Number(row.started_at),
    stopped_at: row.stopped_at === null ? null : Number(row.stopped_at),
  };
}
