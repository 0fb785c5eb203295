// Statements on an index that are prepared once: for a batch of changes, or for as long as the index is open.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const STATEMENTS_MAX = 500;

export type Prepared = (sql: string) => StatementSync;

/** Prepares each statement at its first use. */
export function statementCache(database: DatabaseSync): Prepared {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    statements.set(sql, statement);
    return statement;
  };
}

const preparedOf = new WeakMap<DatabaseSync, Prepared>();

/** A statement that most questions need: it stays prepared until `closeDatabase`. */
export function statementOn(database: DatabaseSync, sql: string): StatementSync {
  const prepared = preparedOf.get(database) ?? statementCache(database);
  preparedOf.set(database, prepared);
  return prepared(sql);
}

/** Closes an index with all of its statements. */
export function closeDatabase(database: DatabaseSync): void {
  preparedOf.delete(database);
  database.close();
}
