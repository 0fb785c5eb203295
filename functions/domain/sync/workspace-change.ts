// A message as it applies to one workspace.
import type { JsonObject } from '#contract/json.ts';
import * as bridges from '#store/records/bridge-states.ts';
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
