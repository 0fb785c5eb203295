// Executions on disk: their input and their ending.
import { openSqliteFile } from '../files/sqlite-file.ts';

/** An execution as it starts. Times are epoch ms. */
export interface NewExecution {
  arn: string;
  machine: string;
  name: string;
  /** JSON text, as received. */
  input: string;
  started_at: number;
}

/** How an execution ended. */
export interface Ending {
  status: 'SUCCEEDED' | 'FAILED';
  output: string | null;
  error: string | null;
  cause: string | null;
}

export interface ExecutionStore {
  find(arn: string): (NewExecution & { status: string }) | undefined;
  add(execution: NewExecution): void;
  /** Ends a running execution; no effect if it has ended. */
  end(arn: string, ending: Ending): void;
  running(): NewExecution[];
  close(): void;
}

/** After this time AWS allows a name to be reused. */
const NAME_REUSE_MS = 90 * 86_400_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS executions (arn TEXT PRIMARY KEY, machine TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
    status TEXT NOT NULL, output TEXT, error TEXT, cause TEXT, started_at INTEGER NOT NULL, stopped_at INTEGER);
  CREATE INDEX IF NOT EXISTS by_status ON executions (status);`;

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
  return {
    find(arn) {
      const row = find.get(arn);
      return row && stored(row);
    },
    add: ({ arn, machine, name, input, started_at }) => void add.run(arn, machine, name, input, started_at),
    end: (arn, { status, output, error, cause }) =>
      void end.run(status, output, error, cause, Date.now(), arn),
    running: () => running.all().map(stored),
    close: () => db.close(),
  };
}

function stored({ arn, machine, name, input, status, started_at }: Record<string, unknown>) {
  return {
    arn: String(arn),
    machine: String(machine),
    name: String(name),
    input: String(input),
    status: String(status),
    started_at: Number(started_at),
  };
}
