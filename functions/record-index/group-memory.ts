// The groups that accumulate records: in memory up to a limit, beyond it in a temporary file that SQLite removes.
import type { Measure } from '#contract/conditions.ts';
import type { GroupRow, SortKey } from '#contract/record-queries.ts';
import { createGroupFile, type GroupFile } from './group-file.ts';
import { type Tally, tallyOf } from './measures.ts';
import { fromStored } from './stored-values.ts';

export interface Groups {
  /** Adds a record as stored values: those of its keys, then one per measure; what follows them does not count. */
  add(row: unknown[]): void;
  /** Every group once, in no order. */
  rows(): Iterable<GroupRow>;
  close(): void;
}

interface Group {
  keys: SortKey[];
  tallies: Tally[];
}

/** Groups by their keys, one level for each grouped field; the members of the last level are groups. */
type Level = Map<SortKey, Level | Group>;

/** The most memory of groups, by an estimate. */
const MEMORY_BYTES = 32 * 1024 * 1024;
const GROUP_BYTES = 300;
const TALLY_BYTES = 400;
const CHARACTER_BYTES = 2;

/** No groups yet. Without a grouped field there is one group of all, even of no records. */
export function createGroups(depth: number, measures: Measure[], memoryBytes = MEMORY_BYTES): Groups {
  let top: Level = new Map();
  let found: Group[] = [];
  let bytes = 0;
  let file: GroupFile | undefined;

  function create(keys: SortKey[]): Group {
    const group = { keys, tallies: measures.map(tallyOf) };
    found.push(group);
    bytes += GROUP_BYTES + TALLY_BYTES * measures.length;
    for (const key of keys) bytes += textBytes(key);
    return group;
  }
  const all = depth === 0 ? create([]) : undefined;

  function groupOf(row: unknown[]): Group {
    if (all) return all;
    let level = top;
    for (let i = 0; i < depth - 1; i += 1) level = levelBelow(level, fromStored(row[i]));
    const last = fromStored(row[depth - 1]);
    const known = level.get(last);
    if (known && !(known instanceof Map)) return known;
    const group = create(row.slice(0, depth).map(fromStored));
    level.set(last, group);
    return group;
  }

  function* inMemory(): Iterable<GroupRow> {
    for (const { keys, tallies } of found)
      yield { values: keys, measures: tallies.map((tally) => tally.parts()) };
  }

  function writeToFile(): GroupFile {
    const to = file ?? createGroupFile(depth, measures);
    file = to;
    to.add(inMemory());
    top = new Map();
    found = [];
    bytes = 0;
    return to;
  }

  return {
    // Without a copy of the row, of which there are as many as records.
    add(row) {
      const { tallies } = groupOf(row);
      for (let i = 0; i < tallies.length; i += 1) {
        const value = row[depth + i];
        tallies[i]?.take(value);
        // A tally may retain any of its texts.
        bytes += textBytes(value);
      }
      if (bytes > memoryBytes && !all) writeToFile();
    },
    rows: () => (file ? writeToFile().rows() : inMemory()),
    close: () => file?.close(),
  };
}

function levelBelow(level: Level, key: SortKey): Level {
  const known = level.get(key);
  if (known instanceof Map) return known;
  const below: Level = new Map();
  level.set(key, below);
  return below;
}

const textBytes = (value: unknown): number =>
  typeof value === 'string' ? value.length * CHARACTER_BYTES : 0;
