// A restored index is without its words, long texts and elements of lists until a question needs them. What is written
// to these until then waits.
import type { DatabaseSync } from 'node:sqlite';
import { lacks, requireParts } from './absent.ts';
import { type Prepared, preparing } from './statements.ts';
import type { Stored } from './values.ts';

/** The parts of a snapshot that statements wait for. */
const parts = ['words', 'wide', 'elements'] as const;
export type WaitedFor = (typeof parts)[number];
export const isWaitedFor = (part: string): part is WaitedFor => parts.some((one) => one === part);

/** Executes a statement on a table of the part. It has at most four parameters. */
export type RowWriter = (part: WaitedFor, sql: string, ...values: Stored[]) => void;

/** So many statements may wait: the question that executes them waits, too. */
const WAITING_MAX = 10_000;

/**
 * Executes statements on what the file has, or writes them to where they wait. Throws ObjectsAbsent for what the file
 * lacks when too many wait already.
 */
export function presentOrWaitingRows(database: DatabaseSync, prepared: Prepared): RowWriter {
  const last = database.prepare('SELECT max(step) AS step FROM waiting_rows').get()?.step;
  if (Number(last) >= WAITING_MAX) requireParts(database, ...parts);
  const absent = new Set(parts.filter((part) => lacks(database, part)));
  return (part, sql, ...values) => {
    if (!absent.has(part)) return void prepared(sql).run(...values);
    const [a = null, b = null, c = null, d = null] = values;
    prepared('INSERT INTO waiting_rows(part, sql, a, b, c, d) VALUES (?, ?, ?, ?, ?, ?)').run(
      ...[part, sql, a, b, c, d],
    );
  };
}

/** Executes what has waited for a part that has come, in its order: ranks depend on it. */
export function addWaitingRows(database: DatabaseSync, part: WaitedFor): void {
  const prepared = preparing(database);
  const waiting = database.prepare('SELECT sql, a, b, c, d FROM waiting_rows WHERE part = ? ORDER BY step');
  for (const { sql, ...values } of waiting.iterate(part)) {
    const count = String(sql).split('?').length - 1;
    prepared(String(sql)).run(...Object.values(values).slice(0, count));
  }
  database.prepare('DELETE FROM waiting_rows WHERE part = ?').run(part);
}
