// The groups that accumulate records: in memory up to a limit, beyond it in a temporary file that SQLite removes.
import type { Measure } from '#contract/conditions.ts';
import type { GroupRow, SortKey } from '#contract/record-queries.ts';
import { createGroupFile, type GroupFile } from './group-file.ts';
import { measuring, type Tally } from './measures.ts';

export interface Groups {
  /** Adds a record to the group with these keys: one stored value per measure. */
  add(keys: SortKey[], values: unknown[]): void;
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
    const group = { keys, tallies: measures.map(measuring) };
    found.push(group);
    bytes += GROUP_BYTES + TALLY_BYTES * measures.length + textBytes(keys);
    return group;
  }
  const all = depth === 0 ? create([]) : undefined;

  function groupOf(keys: SortKey[]): Group {
    if (all) return all;
    let level = top;
    for (let i = 0; i < depth - 1; i += 1) level = levelBelow(level, keys[i] ?? null);
    const last = keys[depth - 1] ?? null;
    const known = level.get(last);
    if (known && !(known instanceof Map)) return known;
    const group = create(keys);
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
    add(keys, values) {
      const { tallies } = groupOf(keys);
      for (let i = 0; i < tallies.length; i += 1) tallies[i]?.take(values[i]);
      // A tally may retain any of its texts.
      bytes += textBytes(values);
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

function textBytes(values: unknown[]): number {
  let bytes = 0;
  for (const value of values) if (typeof value === 'string') bytes += value.length * CHARACTER_BYTES;
  return bytes;
}
