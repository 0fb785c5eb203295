// A message as it applies to one workspace, and the retry when another message came in between.
import type { JsonObject } from '#contract/json.ts';
import { jitter, pause } from '#platform/pause.ts';
import * as bridges from '#store/records/bridge-states.ts';
import { ConditionFailed } from '#store/table/table.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';

/** What a message does to one resource in one workspace; `attributes` are the sender's, absent on a delete. */
export interface Change {
  key: bridges.ResourceKey;
  version: number | undefined;
  /** Says whether monitors watch its records. */
  workspace: Workspace;
  attributes: JsonObject | undefined;
}

/** Older than the last applied message. Equal and unversioned messages apply again (rules.md: sync 6). */
export function isStale(change: Change, state: bridges.SyncState | undefined): boolean {
  const [sent, known] = [change.version, state?.version];
  return sent !== undefined && known !== undefined && sent < known;
}

/** The record that the resource currently maps to. */
export function liveIdOf(state: bridges.SyncState | undefined): string | undefined {
  return state?.deleted === false ? state.record_id : undefined;
}

/** Stores what a change did; a message without a version leaves the old one. Fails when another message came first. */
export function stateWrite(
  { key, version }: Change,
  state: bridges.SyncState | undefined,
  after: Pick<bridges.SyncState, 'record_id' | 'deleted'>,
) {
  return bridges.stateWrite(key, state, { ...after, version: version ?? state?.version });
}

const MAX_TRIES = 20;
const FIRST_DELAY_MS = 5;

/** Repeats a decision when the state that it read changed before its write. `decide` must do all its reads itself. */
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
