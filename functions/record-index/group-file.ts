// Groups in a temporary file, in parts: a group may be written several times, and is read as one.
import { DatabaseSync } from 'node:sqlite';
import type { Measure } from '#contract/conditions.ts';
import type { GroupRow, MeasureParts } from '#contract/record-queries.ts';
import { checkReading } from './reading-limits.ts';
import { fromStored, type Stored, toStored } from './stored-values.ts';

export interface GroupFile {
  add(rows: Iterable<GroupRow>): void;
  /** Every group once. */
  rows(): Iterable<GroupRow>;
  close(): void;
}

/** The parts that a measure needs, each with the function that joins two of them. */
function partsOf(op: Measure['op']): [part: keyof MeasureParts, join: string][] {
  if (op === 'count') return [['count', 'sum']];
  if (op === 'min' || op === 'max')
    return [
      ['count', 'sum'],
      ['number', op],
      ['text', op],
    ];
  return [
    ['count', 'sum'],
    ['sum', 'sum'],
  ];
}

/** A file without groups. SQLite removes it when it is closed, or its process ends. */
export function createGroupFile(depth: number, measures: Measure[]): GroupFile {
  const keys = Array.from({ length: depth }, (_, i) => `k${i}`);
  const parts = measures.flatMap(({ op }, measure) =>
    partsOf(op).map(([part, join]) => ({ measure, part, join, column: `m${measure}_${part}` })),
  );
  const columns = [...keys, ...parts.map(({ column }) => column)].join(', ');
  // Without a name, a database is a temporary file.
  const database = new DatabaseSync('');
  database.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000; CREATE TABLE parts(${columns})`,
  );
  const insert = database.prepare(
    `INSERT INTO parts(${columns}) VALUES (${[...keys, ...parts].map(() => '?').join(', ')})`,
  );
  const joined = parts.map(({ join, column }) => `${join}(${column}) AS ${column}`);

  function toRow(row: Record<string, unknown>): GroupRow {
    const found = measures.map((): MeasureParts => ({ count: 0, sum: null, number: null, text: null }));
    for (const { measure, part, column } of parts)
      Object.assign(found[measure] ?? {}, { [part]: row[column] });
    return { values: keys.map((key) => fromStored(row[key])), measures: found };
  }

  return {
    add(rows) {
      database.exec('BEGIN');
      for (const { values, measures: found } of rows) {
        checkReading();
        const stored = values.map((value): Stored => (value === null ? null : toStored(value)));
        insert.run(...stored, ...parts.map(({ measure, part }) => found[measure]?.[part] ?? null));
      }
      database.exec('COMMIT');
    },
    *rows() {
      const select = database.prepare(
        `SELECT ${[...keys, ...joined].join(', ')} FROM parts GROUP BY ${keys.join(', ')}`,
      );
      for (const row of select.iterate()) {
        checkReading();
        yield toRow(row);
      }
    },
    close: () => database.close(),
  };
}
