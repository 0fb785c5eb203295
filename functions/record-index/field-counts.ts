// What the outline says of each field of a type: how many records have it, of which kinds, its range and samples.
import type { DatabaseSync } from 'node:sqlite';
import type { Scalar } from '#contract/conditions.ts';
import { dateIn } from '#contract/grouped-values.ts';
import { compareText, type FieldKind, fieldKinds } from '#contract/record-queries.ts';
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
/** `dates` counts the texts that are dates, `leaves` all cells but objects with members. */
const counters = [...Object.values(countOf), 'dates', 'leaves'] as const;
type Counter = (typeof counters)[number];

/** What of a row may lack something: bits of the column `stale`. */
export const stale = { range: 1, samples: 2, dates: 4 } as const;

/** A value with the record that has it, so that it goes when the record changes. */
export type Sample = [rid: number, value: Scalar];

/** The least and the greatest value. */
export interface Range<T> {
  low: T | null;
  high: T | null;
}

type Order<T> = (left: T, right: T) => number;
const byNumber: Order<number> = (left, right) => left - right;
/** Texts that are dates, the earliest first. */
export const byTime: Order<string> = (left, right) =>
  (dateIn(left) ?? 0) - (dateIn(right) ?? 0) || compareText(left, right);

/** Makes a range hold a value. */
export function widen<T>(range: Range<T>, value: T, order: Order<T>): void {
  if (range.low === null || order(value, range.low) < 0) range.low = value;
  if (range.high === null || order(value, range.high) > 0) range.high = value;
}

/** The values that a batch adds, and those that it takes. */
interface Changed<T> {
  added: Range<T>;
  removed: Range<T>;
}

const unchanged = () => ({ added: { low: null, high: null }, removed: { low: null, high: null } });

/** What a batch adds to a field of a type, and takes from it. */
export interface FieldChange {
  type: string;
  slot: number;
  counts: Record<Counter, number>;
  numbers: Changed<number>;
  dates: Changed<string>;
  samples: Sample[];
}

/** Nothing added, nothing taken. */
export function newFieldChange(type: string, slot: number): FieldChange {
  const counts = { numbers: 0, texts: 0, booleans: 0, lists: 0, objects: 0, dates: 0, leaves: 0 };
  return { type, slot, counts, numbers: unchanged(), dates: unchanged(), samples: [] };
}

/** A record has this cell. */
export function addCell(change: FieldChange, cell: Cell, rid: number): void {
  count(change, cell, 'added');
  addSamples(change.samples, cell, rid);
}

/** A record has this cell no more. */
export const removeCell = (change: FieldChange, cell: Cell): void => count(change, cell, 'removed');

function count({ counts, numbers, dates }: FieldChange, cell: Cell, side: keyof Changed<unknown>): void {
  const by = side === 'added' ? 1 : -1;
  counts[countOf[kindOf(cell)]] += by;
  if (cell.kind !== 'object' || cell.empty) counts.leaves += by;
  if (cell.kind !== 'scalar') return;
  const { value } = cell;
  if (typeof value === 'number') widen(numbers[side], value, byNumber);
  if (typeof value !== 'string' || dateIn(value) === undefined) return;
  counts.dates += by;
  widen(dates[side], value, byTime);
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
    `INSERT OR REPLACE INTO outline(type, slot, ${counters.join(', ')}, low, high, first, last, samples, stale)
     VALUES (?, ?, ${counters.map(() => '?').join(', ')}, ?, ?, ?, ?, ?, ?)`,
  );
  for (const change of changes) {
    const { type, slot } = change;
    const row = find.get(type, slot);
    const counts = counters.map((name) => Number(row?.[name] ?? 0) + change.counts[name]);
    if (counts.every((one) => one === 0)) {
      remove.run(type, slot);
      continue;
    }
    const now = (name: Counter) => counts[counters.indexOf(name)] ?? 0;
    const leaves = now('leaves');
    const { numbers, dates } = rangesIn(row);
    const range = rangeAfter(now('numbers') > 0, numbers, { change: change.numbers, order: byNumber });
    const times = rangeAfter(now('dates') > 0, dates, { change: change.dates, order: byTime });
    const samples = samplesAfter(row, change, gone, leaves);
    const bits =
      Number(row?.stale ?? 0) |
      (range.isStale ? stale.range : 0) |
      (times.isStale ? stale.dates : 0) |
      (samples.isStale ? stale.samples : 0);
    const ends = [range.low, range.high, times.low, times.high];
    save.run(type, slot, ...counts, ...ends, JSON.stringify(samples.all), bits);
  }
}

/** The ranges of a row of the outline: of its numbers, and of the texts that are dates. */
export function rangesIn(row: Record<string, unknown> | undefined): {
  numbers: Range<number>;
  dates: Range<string>;
} {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    numbers: { low: numberOf(row?.low), high: numberOf(row?.high) },
    dates: { low: textOf(row?.first), high: textOf(row?.last) },
  };
}

/** Stale when an end of the range is a value that a record had and no added one has. */
function rangeAfter<T>(
  hasAny: boolean,
  before: Range<T>,
  { change: { added, removed }, order }: { change: Changed<T>; order: Order<T> },
): Range<T> & { isStale: boolean } {
  if (!hasAny) return { low: null, high: null, isStale: false };
  const range = { ...before };
  for (const value of [added.low, added.high]) if (value !== null) widen(range, value, order);
  const { low, high } = range;
  const lostLow = low !== null && removed.low !== null && order(removed.low, low) <= 0 && added.low !== low;
  const lostHigh =
    high !== null && removed.high !== null && order(removed.high, high) >= 0 && added.high !== high;
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
