// Stands in for the record index, its snapshots, segments and file where an import is measured: each process has an index
// that only knows what it has applied, and every operation takes the time that it takes on AWS.
import type { Part, SegmentName } from '#domain/records/segments.ts';
import type { IndexChanges } from '#record-index/apply.ts';
import { SCHEMA_VERSION } from '#record-index/files.ts';
import type { IndexState, Update } from '#record-index/index-updates.ts';
import type { Snapshot } from '#store/records/record-heads.ts';
import { currentProcess } from '../../support/faults.ts';

/**
 * What `Records` and a compaction, with one processor for the work, take for a record, by the throughput of a core here
 * and the bandwidth that AWS publishes: to apply a change, to save it in a snapshot, to restore it.
 */
const APPLY_MS = 0.3;
const SAVE_MS = 0.035;
const RESTORE_MS = 0.012;

/** A request to the bucket. */
const OBJECT_MS = 30;

interface Index extends IndexState {
  applied: Set<string>;
  readings: Map<string, string>;
  records: number;
  building_until: number;
}

const empty = (): Index => ({
  ...{ incarnation: undefined, cursor_ms: 0, revision: 0, progress: undefined, is_level: true },
  ...{ applied: new Set<string>(), readings: new Map<string, string>(), records: 0, building_until: 0 },
});
const indexes = new Map<string, Index>();
const snapshots = new Map<string, Index>();
const segments = new Map<string, Part[]>();
let areForgotten = false;

/** From now on the bucket gives no segment. */
export function forgetSegments(): void {
  areForgotten = true;
}

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

function indexOf(file: string): Index {
  const known = indexes.get(file) ?? empty();
  indexes.set(file, known);
  return known;
}

const sizeOf = ({ records, relationships, gone_records }: IndexChanges) =>
  records.length + relationships.length + gone_records.length;

async function update(index: Index, { changes, applied, reading, ...state }: Update): Promise<boolean> {
  await sleep(sizeOf(changes) * APPLY_MS);
  for (const name of applied) index.applied.add(name);
  if (reading !== undefined) for (const { entity } of changes.records) index.readings.set(entity.id, reading);
  index.records += changes.records.length;
  index.revision += 1;
  const { incarnation, cursor_ms, building_until } = state;
  if (incarnation !== undefined) index.incarnation = incarnation;
  if (building_until !== undefined) index.building_until = building_until;
  if (cursor_ms !== undefined) {
    index.cursor_ms = cursor_ms;
    const oldest = String(cursor_ms).padStart(14, '0');
    for (const name of index.applied) if (name < oldest) index.applied.delete(name);
    for (const [id, name] of index.readings) if (name < oldest) index.readings.delete(id);
  }
  return true;
}

const readings = (index: Index, ids: string[]): [id: string, reading: string][] =>
  ids.flatMap((id): [string, string][] => {
    const reading = index.readings.get(id);
    return reading === undefined ? [] : [[id, reading]];
  });

/** Performs an operation on the index of a file. */
export async function onIndex(file: string, operation: string, input?: unknown): Promise<unknown> {
  const index = indexOf(file);
  if (operation === 'state') return { ...index };
  if (operation === 'unapplied') return Object(input).filter((name: string) => !index.applied.has(name));
  if (operation === 'readings') return readings(index, Object(input));
  if (operation === 'update') return update(index, Object(input));
  if (operation === 'count') return index.records;
  // An index that is restored has everything.
  if (['optimize', 'absentObjects', 'requireAll'].includes(operation)) return undefined;
  if (operation === 'claimBuild') {
    index.building_until = Object(input).until;
    return true;
  }
  if (operation !== 'reset') throw new Error(`no import needs ${operation}`);
  indexes.set(file, { ...empty(), revision: index.revision + 1, building_until: index.building_until });
  return true;
}

export const [readIndex, readItems] = [onIndex, onIndex];
export const removeIndex = async (file: string): Promise<void> => void indexes.delete(file);
export const makeRoom = async (): Promise<void> => {};

/** Each process has its own disk. */
export const indexFile = (workspaceId: string): string => `${currentProcess()?.id}/${workspaceId}`;

/** Processes do not share work. */
export const coalesce =
  <I, T>(work: (key: string, input: I) => Promise<T>) =>
  (key: string, input: I): Promise<T> =>
    work(key, input);

/** Saves a copy of the index in its present state. */
export async function saveSnapshot(_: string, file: string, generation: number): Promise<Snapshot> {
  const { incarnation = '', cursor_ms, records, ...rest } = indexOf(file);
  const prefix = `snapshots/${generation}`;
  snapshots.set(prefix, {
    ...rest,
    incarnation,
    cursor_ms,
    records,
    applied: new Set(rest.applied),
    readings: new Map(rest.readings),
  });
  await sleep(records * SAVE_MS);
  return {
    generation,
    schema: SCHEMA_VERSION,
    incarnation,
    cursor_ms,
    records,
    prefix,
    part_sums: [],
    objects: {},
  };
}

/** Replaces the index by a snapshot; false if that is gone. */
export async function restoreSnapshot(file: string, { prefix }: Snapshot): Promise<boolean> {
  const saved = snapshots.get(prefix);
  if (!saved) return false;
  await sleep(saved.records * RESTORE_MS);
  indexes.set(file, { ...saved, applied: new Set(saved.applied), readings: new Map(saved.readings) });
  return true;
}

export const deleteSnapshot = async ({ prefix }: Snapshot): Promise<void> => void snapshots.delete(prefix);

/** What readers have saved of a second. */
export async function partsOf({ incarnation, second }: SegmentName): Promise<Part[]> {
  await sleep(OBJECT_MS);
  return (!areForgotten && segments.get(`${incarnation} ${second}`)) || [];
}

/** Saves the parts of a second. */
export async function saveParts({ incarnation, second }: SegmentName, parts: Part[]): Promise<void> {
  await sleep(OBJECT_MS);
  segments.set(`${incarnation} ${second}`, parts);
}
