// Applies changes of the log to an index: their ids are read from the table, or from what another reader has read.
import { SHARED_MIN_IDS } from '#domain/records/index-home.ts';
import type { IndexChanges } from '#record-index/apply.ts';
import { onIndex } from '#record-index/record-index.ts';
import { type Change, CLOCKS_DIFFER_MS, stampedAt } from '#store/records/changes.ts';
import { recordStates, relationshipStates } from '#store/records/record-states.ts';
import { withBodies } from './fetch-parts.ts';
import { type Part, partsOf, saveParts } from './segments.ts';

/** How many ids are looked up and applied at a time. */
const BATCH_IDS = 1000;

/** The index of a workspace while it catches up. */
export interface Follower {
  workspaceId: string;
  file: string;
  incarnation: string;
  /** Whether the files of the index have the same changes. */
  is_level: boolean;
  /** Of the changes: it began after their entries were read. */
  reading: string;
  /** Throws when there is no time for another batch. */
  requireTime(): Promise<void>;
}

/** Applies changes that are new to the index; false after a write by another process, which makes what was read old. */
export async function applyChanges(follower: Follower, changes: Change[]): Promise<boolean> {
  // What others have read counts for what the core has read before: a file that lags needs it all the same.
  const { few, many } = follower.is_level ? bySecond(changes) : { few: changes, many: [] };
  for (const batch of batchesOf(few)) if (!(await applyFromTable(follower, batch))) return false;
  // Shuffled, so that concurrent readers start with different seconds and share the results.
  for (const { second, changes: some } of shuffle(many))
    if (!(await applySecond(follower, second, some))) return false;
  return true;
}

const idsOf = (changes: Change[]): string[] => [
  ...new Set(changes.flatMap(({ records, relationships }) => [...records, ...relationships])),
];

interface Second {
  /** Epoch seconds. */
  second: number;
  changes: Change[];
}

/** The changes of seconds that readers share, and all others. */
function bySecond(changes: Change[]): { few: Change[]; many: Second[] } {
  const seconds = Map.groupBy(changes, ({ name }) => Math.floor(stampedAt(name) / 1000));
  const all = [...seconds].map(([second, some]) => ({ second, changes: some }));
  const isShared = (one: Second) => idsOf(one.changes).length >= SHARED_MIN_IDS;
  return {
    few: all.filter((one) => !isShared(one)).flatMap((one) => one.changes),
    many: all.filter(isShared),
  };
}

function shuffle<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function batchesOf(changes: Change[]): Change[][] {
  const batches: Change[][] = [];
  let ids = 0;
  for (const change of changes) {
    ids += change.records.length + change.relationships.length;
    const last = batches.at(-1);
    if (last && ids <= BATCH_IDS) last.push(change);
    else {
      batches.push([change]);
      ids = change.records.length + change.relationships.length;
    }
  }
  return batches;
}

/** What it read; undefined after a write by another process. */
async function applyFromTable(follower: Follower, changes: Change[]): Promise<Part | undefined> {
  const { workspaceId, file, reading } = follower;
  await follower.requireTime();
  // Read the revision before the records: a write by another process after this makes our copy stale.
  const { revision } = await onIndex(file, 'state');
  const [records, relationships] = await Promise.all([
    recordStates(workspaceId, [...new Set(changes.flatMap((change) => change.records))]),
    relationshipStates(workspaceId, [...new Set(changes.flatMap((change) => change.relationships))]),
  ]);
  const names = changes.map(({ name }) => name);
  const part = { reading, names, records, relationships };
  const update = { revision, changes: stateOf(changes, part), applied: names, reading };
  return (await withBodies(() => onIndex(file, 'update', update))) ? part : undefined;
}

/** Applies a second that readers share: what others have read of it, the rest from the table, for those that follow. */
async function applySecond(follower: Follower, second: number, changes: Change[]): Promise<boolean> {
  const name = { workspace_id: follower.workspaceId, incarnation: follower.incarnation, second };
  const parts = await partsOf(name);
  let left = changes;
  for (const part of parts) {
    const applied = await applyPart(follower, part, left);
    if (!applied) return false;
    left = left.filter((change) => !applied.includes(change));
  }
  const read: Part[] = [];
  for (const batch of batchesOf(left)) {
    const part = await applyFromTable(follower, batch);
    if (!part) return false;
    read.push(part);
  }
  if (idsOf(left).length >= SHARED_MIN_IDS) await saveParts(name, [...parts, ...read]);
  return true;
}

/** Applies those of the changes that a part surely shows; undefined after a write by another process. */
async function applyPart(
  { file, reading, requireTime }: Follower,
  part: Part,
  changes: Change[],
): Promise<Change[] | undefined> {
  await requireTime();
  const names = new Set(part.names);
  const named = changes.filter(({ name }) => names.has(name));
  if (named.length === 0) return [];
  const { revision } = await onIndex(file, 'state');
  const own = new Map(await onIndex(file, 'readings', idsOf(named)));
  const orders = new Map(
    idsOf(named).map((id) => [id, orderOf(own.get(id), part.reading, reading)] as const),
  );
  const clear = named.filter((change) => idsOf([change]).every((id) => orders.get(id) !== 'unclear'));
  const update = {
    revision,
    changes: stateOf(clear, part, (id) => orders.get(id) === 'before'),
    applied: clear.map(({ name }) => name),
    reading: part.reading,
  };
  return (await withBodies(() => onIndex(file, 'update', update))) ? clear : undefined;
}

/**
 * Whether the index read a record before or after another reading did, by clocks that differ. A record that it has from
 * that reading, or from its own reading of the same changes, needs no other.
 */
function orderOf(own: string | undefined, other: string, present: string): 'before' | 'after' | 'unclear' {
  if (own === undefined) return 'before';
  if (own === other || own === present) return 'after';
  const later_ms = stampedAt(own) - stampedAt(other);
  if (Math.abs(later_ms) < CLOCKS_DIFFER_MS) return 'unclear';
  return later_ms < 0 ? 'before' : 'after';
}

/** What the changes name and `isWanted` chooses, as the part has it; what it does not have is gone. */
function stateOf(changes: Change[], part: Part, isWanted = (_id: string) => true): IndexChanges {
  const wanted = (ids: string[]) => new Set(ids.filter(isWanted));
  const recordIds = wanted(changes.flatMap((change) => change.records));
  const relationshipIds = wanted(changes.flatMap((change) => change.relationships));
  const records = part.records.filter(({ entity }) => recordIds.has(entity.id));
  const relationships = part.relationships.filter(({ id }) => relationshipIds.has(id));
  const present = new Set([...records.map(({ entity }) => entity.id), ...relationships.map(({ id }) => id)]);
  return {
    records: records.map(({ entity, vector, vector_of }) => ({ entity, vector, vector_of })),
    relationships,
    gone_records: [...recordIds].filter((id) => !present.has(id)),
    gone_relationships: [...relationshipIds].filter((id) => !present.has(id)),
  };
}
