// A message as it concerns one workspace, and the retry of a decision when another message came in between.
import type { JsonObject } from '#contract/json.ts';
import { jitter, pause } from '#platform/pause.ts';
import type { ResourceKey, SyncState } from '#store/records/bridges.ts';
import { ConditionFailed } from '#store/table/table.ts';

/** What a message does to one resource in one workspace; `attributes` are the sender's, absent on a delete. */
export interface Change {
  key: ResourceKey;
  version: number | undefined;
  attributes: JsonObject | undefined;
}

/** Older than what was applied last. Equal and unversioned messages apply again (rules.md: sync 6). */
export function isStale(change: Change, state: SyncState | undefined): boolean {
  const [sent, known] = [change.version, state?.version];
  return sent !== undefined && known !== undefined && sent < known;
}

/** The version to keep: a message without one leaves the old one. */
export function versionAfter(change: Change, state: SyncState | undefined): number | undefined {
  return change.version ?? state?.version;
}

const MAX_TRIES = 20;
const FIRST_DELAY_MS = 5;

/** Repeats a decision when the state that it read changed before its write. `decide` must read everything itself. */
export async function retryIfChanged<T>(decide: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tried === MAX_TRIES) throw error;
      await pause(jitter(FIRST_DELAY_MS * tried));
    }
  }
}
