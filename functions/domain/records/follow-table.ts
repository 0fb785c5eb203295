// Following the table: before an answer, the index of a workspace takes in every change that was written before the question.
import { fail } from '#contract/errors.ts';
import { env } from '#platform/env.ts';
import { pause } from '#platform/pause.ts';
import { noChanges } from '#record-index/apply.ts';
import type { IndexState } from '#record-index/operations.ts';
import { IndexDamaged, onIndex, removeIndex } from '#record-index/record-index.ts';
import {
  type Change,
  changesOf,
  type Entry,
  entriesSince,
  MANY_CHANGES,
  oldestCursor,
  stampedAt,
  WRITTEN_WITHIN_MS,
} from '#store/records/changes.ts';
import * as heads from '#store/records/record-heads.ts';
import { recordStates, relationshipStates } from '#store/records/record-states.ts';
import { BUILD_LEASE_MS, buildIndex } from './build-index.ts';

/** Entries may become readable this long after their stamp: a transaction takes its time, and clocks differ. */
export const OVERLAP_MS = WRITTEN_WITHIN_MS + 5000;
/** An index that nothing happens to moves its cursor on this seldom. */
const ADVANCE_MS = 3600_000;
/** How many ids are looked up and applied at a time. */
const BATCH_IDS = 1000;
const BUILD_POLL_MS = 100;

/** The index could not take in all changes in time. Trying again later helps: what was taken in stays. */
export class RecordsBehind extends Error {
  constructor(workspaceId: string) {
    super(`the record index of workspace ${workspaceId} is behind the table`);
    this.name = 'RecordsBehind';
  }
}

/** How long a request waits for the index: it cannot be tried again later, as a step can, and the rest of its 45 s may be a model's. */
export const REQUEST_WAIT_MS = 15_000;

/** What a request answers for an error of its wait: 504 upstream_timeout when the index is behind, else the error as it is. */
export function requestError(error: unknown): unknown {
  if (!(error instanceof RecordsBehind)) return error;
  return fail('upstream_timeout', { details: { dependency: 'records', timeout_ms: REQUEST_WAIT_MS } });
}

/** Where the index of a workspace lies. */
export const fileOf = (workspaceId: string) => `${env('RECORD_INDEX_DIR')}/${workspaceId}.db`;

/** Removes the file of a workspace's index, for the room it takes; whoever reads next builds it again. */
export function forgetIndex(workspaceId: string): Promise<void> {
  return removeIndex(fileOf(workspaceId));
}

/**
 * The file of a workspace's index, with everything in it that was written before this call. Throws RecordsBehind when that takes
 * longer than `budgetMs`.
 */
export function currentIndex(workspaceId: string, budgetMs: number): Promise<string> {
  const deadline = Date.now() + budgetMs;
  const running = flights.get(workspaceId);
  // A flight under way may have asked for the changes before the caller came: the caller needs the one after it.
  if (!running) return depart(workspaceId, deadline);
  running.next ??= running.landed.then(
    () => depart(workspaceId, deadline),
    () => depart(workspaceId, deadline),
  );
  return running.next;
}

/** A head that was read so short a time before a question is good for it: it tells only whether the index is still of these records. */
const EXPECTED_MS = 1000;
const EXPECTED_MAX = 1000;
const expected = new Map<string, { at: number; head: Promise<heads.Head | undefined> }>();

/** Reads the head of a workspace for the next question about its records, in one request with what the caller reads in this turn. */
export function expectQuestion(workspaceId: string): void {
  const head = heads.get(workspaceId);
  // Whoever takes it hears of its failure.
  head.catch(() => undefined);
  if (expected.size >= EXPECTED_MAX) expected.clear();
  expected.set(workspaceId, { at: Date.now(), head });
}

/** The head, early or as of now; only the latter tells that the index is of another incarnation. */
async function headOf(workspaceId: string, incarnation: string | undefined): Promise<heads.Head | undefined> {
  const early = expected.get(workspaceId);
  expected.delete(workspaceId);
  if (early && Date.now() - early.at < EXPECTED_MS) {
    const head = await early.head;
    if (head?.incarnation === incarnation) return head;
  }
  return heads.get(workspaceId);
}

interface Flight {
  landed: Promise<string>;
  next: Promise<string> | undefined;
}
const flights = new Map<string, Flight>();

function depart(workspaceId: string, deadline: number): Promise<string> {
  const landed = follow(workspaceId, deadline).finally(() => {
    if (flights.get(workspaceId) === flight) flights.delete(workspaceId);
  });
  const flight: Flight = { landed, next: undefined };
  flights.set(workspaceId, flight);
  return landed;
}

async function follow(workspaceId: string, deadline: number): Promise<string> {
  const file = fileOf(workspaceId);
  for (;;) {
    try {
      if (await catchUp(workspaceId, file, deadline)) return file;
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await removeIndex(file);
    }
    if (Date.now() > deadline) throw new RecordsBehind(workspaceId);
  }
}

/** True once the index holds all that was written before this call; false: look again. */
async function catchUp(workspaceId: string, file: string, deadline: number): Promise<boolean> {
  const state = await onIndex(file, 'state');
  const startedAt = Date.now();
  const tooOld = state.cursor_ms < oldestCursor(startedAt);
  const [head, first] = await Promise.all([
    headOf(workspaceId, state.incarnation),
    state.incarnation === undefined || tooOld ? undefined : entriesSince(workspaceId, state.cursor_ms),
  ]);
  if (!first || head?.incarnation !== state.incarnation) {
    await startOver(workspaceId, file, state, deadline);
    return false;
  }
  let taken = 0;
  for (let page = first; ; page = await entriesSince(workspaceId, state.cursor_ms, page.next)) {
    const applied = await applyPage(workspaceId, file, page.entries, deadline);
    if (applied === 'stale') return false;
    taken += applied;
    if (page.next === undefined) break;
  }
  // A snapshot spares the next reader this.
  if (taken > MANY_CHANGES) await heads.makeDue(workspaceId, startedAt);
  await advance(file, startedAt - OVERLAP_MS, first.entries[0]);
  return true;
}

async function startOver(
  workspaceId: string,
  file: string,
  state: IndexState,
  deadline: number,
): Promise<void> {
  if (state.incarnation !== undefined) {
    await onIndex(file, 'reset', state.revision);
    return;
  }
  const now = Date.now();
  const claimed = await onIndex(file, 'claimBuild', { now, until: now + BUILD_LEASE_MS });
  if (claimed) await buildIndex(workspaceId, file, { deadline, overlapMs: OVERLAP_MS });
  else await pause(BUILD_POLL_MS);
}

/** Applies those of the entries that are new to the index, and returns how many ids they named. */
async function applyPage(
  workspaceId: string,
  file: string,
  entries: Entry[],
  deadline: number,
): Promise<number | 'stale'> {
  if (entries.length === 0) return 0;
  const names = entries.map(({ name }) => name);
  const open = new Set(await onIndex(file, 'unapplied', names));
  const changes = await changesOf(
    workspaceId,
    entries.filter(({ name }) => open.has(name)),
  );
  let taken = 0;
  for (const batch of batchesOf(changes)) {
    if (Date.now() > deadline) {
      // Whoever comes next goes on from here; a compaction without this deadline catches up meanwhile.
      await heads.makeDue(workspaceId, Date.now());
      throw new RecordsBehind(workspaceId);
    }
    // Read before the records: whatever somebody else writes after this makes our reading stale.
    const { revision } = await onIndex(file, 'state');
    const update = await stateOf(workspaceId, batch);
    const applied = batch.map(({ name }) => name);
    if (!(await onIndex(file, 'update', { revision, changes: update, applied }))) return 'stale';
    taken += new Set(batch.flatMap(({ records, relationships }) => [...records, ...relationships])).size;
  }
  return taken;
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

/** What the table says now of everything that the changes name. */
async function stateOf(workspaceId: string, changes: Change[]) {
  const recordIds = [...new Set(changes.flatMap((change) => change.records))];
  const relationshipIds = [...new Set(changes.flatMap((change) => change.relationships))];
  const [records, relationships] = await Promise.all([
    recordStates(workspaceId, recordIds),
    relationshipStates(workspaceId, relationshipIds),
  ]);
  const present = new Set([...records.map(({ entity }) => entity.id), ...relationships.map(({ id }) => id)]);
  return {
    records,
    relationships,
    gone_records: recordIds.filter((id) => !present.has(id)),
    gone_relationships: relationshipIds.filter((id) => !present.has(id)),
  };
}

/**
 * Moves the cursor on where that spares the next reader an entry. When somebody else wrote meanwhile it stays, which only costs a longer
 * look next time.
 */
async function advance(file: string, cursor_ms: number, oldest: Entry | undefined): Promise<void> {
  const state = await onIndex(file, 'state');
  const spares = oldest !== undefined && stampedAt(oldest.name) < cursor_ms;
  if (!spares && cursor_ms - state.cursor_ms < ADVANCE_MS) return;
  if (cursor_ms <= state.cursor_ms) return;
  await onIndex(file, 'update', { revision: state.revision, changes: noChanges, applied: [], cursor_ms });
}
