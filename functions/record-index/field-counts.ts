// What the outline says of each field of a type: how many records have it, of which kinds, its range and samples.
import type { DatabaseSync } from 'node:sqlite';
import type { Scalar } from '#contract/conditions.ts';
import { type FieldKind, fieldKinds } from '#contract/record-queries.ts';
import { kindOf } from './field-slots.ts';
import { type Cell, valuesOf } from './flatten.ts';

export const SAMPLES_MAX = 5;
const SAMPLE_MAX_CHARACTERS = 60;

/** The column that counts the cells of a kind. */
const countOf = {
  number: 'numbers',
  text: 'texts',
  boolean: 'booleans',
  list: 'lists',
  object: 'objects',
} as const satisfies Record<FieldKind, string>;
/** `leaves` counts all cells but objects with members. */
const counters = [...Object.values(countOf), 'leaves'] as const;
type Counter = (typeof counters)[number];

/** What of a row may lack something: bits of the column `stale`. */
export const stale = { range: 1, samples: 2 } as const;

/** A value with the record that has it, so that it goes when the record changes. */
export type Sample = [rid: number, value: Scalar];

interface Range {
  low: number | null;
  high: number | null;
}

/** What a batch adds to a field of a type, and takes from it. */
export interface FieldChange {
  type: string;
  slot: number;
  counts: Record<Counter, number>;
  added: Range;
  removed: Range;
  samples: Sample[];
}

/** Nothing added, nothing taken. */
export function newFieldChange(type: string, slot: number): FieldChange {
  const counts = { numbers: 0, texts: 0, booleans: 0, lists: 0, objects: 0, leaves: 0 };
  const none = { low: null, high: null };
  return { type, slot, counts, added: { ...none }, removed: { ...none }, samples: [] };
}

/** A record has this cell. */
export function addCell(change: FieldChange, cell: Cell, rid: number): void {
  count(change, cell, 1);
  widen(change.added, cell);
  addSamples(change.samples, cell, rid);
}

/** A record has this cell no more. */
export function removeCell(change: FieldChange, cell: Cell): void {
  count(change, cell, -1);
  widen(change.removed, cell);
}

function count({ counts }: FieldChange, cell: Cell, by: number): void {
  counts[countOf[kindOf(cell)]] += by;
  if (cell.kind !== 'object' || cell.empty) counts.leaves += by;
}

function widen(range: Range, cell: Cell): void {
  if (cell.kind !== 'scalar' || typeof cell.value !== 'number') return;
  range.low = Math.min(range.low ?? cell.value, cell.value);
  range.high = Math.max(range.high ?? cell.value, cell.value);
}

/** Adds the values of a cell that are not among the samples yet, while there is room. */
export function addSamples(samples: Sample[], cell: Cell, rid: number): void {
  for (const value of valuesOf(cell)) {
    if (samples.length >= SAMPLES_MAX) return;
    const shown = shownOf(value);
    if (!samples.some(([, known]) => known === shown)) samples.push([rid, shown]);
  }
}

function shownOf(value: Scalar): Scalar {
  if (typeof value !== 'string' || value.length <= SAMPLE_MAX_CHARACTERS) return value;
  return `${[...value.slice(0, SAMPLE_MAX_CHARACTERS)].slice(0, -1).join('')}…`;
}

/** The samples as stored. */
export const samplesIn = (row: Record<string, unknown> | undefined): Sample[] =>
  JSON.parse(String(row?.samples ?? '[]'));

/** The kinds that a row of the outline counts. */
export const kindsIn = (row: Record<string, unknown>): FieldKind[] =>
  fieldKinds.filter((kind) => Number(row[countOf[kind]]) > 0);

/**
 * Adds the changes to the outline. `gone`: the records whose earlier samples no longer count. A row whose range or
 * samples may lack something now is marked stale.
 */
export function saveFields(database: DatabaseSync, changes: Iterable<FieldChange>, gone: Set<number>): void {
  const find = database.prepare('SELECT * FROM outline WHERE type = ? AND slot = ?');
  const remove = database.prepare('DELETE FROM outline WHERE type = ? AND slot = ?');
  const save = database.prepare(
    `INSERT OR REPLACE INTO outline(type, slot, ${counters.join(', ')}, low, high, samples, stale)
     VALUES (?, ?, ${counters.map(() => '?').join(', ')}, ?, ?, ?, ?)`,
  );
  for (const change of changes) {
    const { type, slot } = change;
    const row = find.get(type, slot);
    const counts = counters.map((name) => Number(row?.[name] ?? 0) + change.counts[name]);
    if (counts.every((one) => one === 0)) {
      remove.run(type, slot);
      continue;
    }
    const [numbers = 0] = counts;
    const leaves = counts.at(-1) ?? 0;
    const range = rangeAfter(row, change, numbers > 0);
    const samples = samplesAfter(row, change, gone, leaves);
    const bits =
      Number(row?.stale ?? 0) | (range.isStale ? stale.range : 0) | (samples.isStale ? stale.samples : 0);
    save.run(type, slot, ...counts, range.low, range.high, JSON.stringify(samples.all), bits);
  }
}

/** Stale when an end of the range is a number that a record had and no added one has. */
function rangeAfter(
  row: Record<string, unknown> | undefined,
  { added, removed }: FieldChange,
  hasNumbers: boolean,
): Range & { isStale: boolean } {
  if (!hasNumbers) return { low: null, high: null, isStale: false };
  const numbers = (...all: unknown[]) => all.filter((one) => typeof one === 'number');
  const low = Math.min(...numbers(row?.low, added.low));
  const high = Math.max(...numbers(row?.high, added.high));
  const lostLow = removed.low !== null && removed.low <= low && added.low !== low;
  const lostHigh = removed.high !== null && removed.high >= high && added.high !== high;
  return { low, high, isStale: lostLow || lostHigh };
}

/** Stale when a sample went and other records may have further values. */
function samplesAfter(
  row: Record<string, unknown> | undefined,
  change: FieldChange,
  gone: Set<number>,
  leaves: number,
): { all: Sample[]; isStale: boolean } {
  const before = samplesIn(row);
  const all = before.filter(([rid]) => !gone.has(rid));
  const hasLost = all.length < before.length;
  for (const sample of change.samples)
    if (all.length < SAMPLES_MAX && !all.some(([, value]) => value === sample[1])) all.push(sample);
  return { all, isStale: hasLost && all.length < SAMPLES_MAX && leaves > 0 };
}
