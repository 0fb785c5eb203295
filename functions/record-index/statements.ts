// Statements on an index that are prepared once.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const STATEMENTS_MAX = 500;

export type Prepared = (sql: string) => StatementSync;

/** Prepares each statement at its first use. */
export function preparing(database: DatabaseSync): Prepared {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    statements.set(sql, statement);
    return statement;
  };
}
