// The keys of objects in the bucket. Everything of a run is below its two prefixes, where it is found again even if no
// item refers to it.
import { ANSWERS_PREFIX, CALLS_PREFIX, SEGMENTS_PREFIX, SNAPSHOTS_PREFIX } from '#contract/retention.ts';

/** The key of an object of a run; `name` is unique to its write. */
export function runObject(workspaceId: string, runId: string, name: string): string {
  return `${workspaceId}/runs/${runId}/${name}.json`;
}

/** The key of the answer of a journaled call, which expires earlier. */
export function callObject(workspaceId: string, runId: string, name: string): string {
  return `${CALLS_PREFIX}${runObject(workspaceId, runId, name)}`;
}

/** The key of an object of a monitor; `name` is unique to its write. */
export function monitorObject(workspaceId: string, monitorId: string, name: string): string {
  return `${workspaceId}/monitors/${monitorId}/${name}.json`;
}

/** The prefixes of all objects of a run. */
export function runPrefixes(workspaceId: string, runId: string): string[] {
  return ['', CALLS_PREFIX].map((prefix) => `${prefix}${workspaceId}/runs/${runId}/`);
}

/** The prefixes of all objects of a workspace. */
export function workspacePrefixes(workspaceId: string): string[] {
  const prefixes = ['', CALLS_PREFIX, SNAPSHOTS_PREFIX, SEGMENTS_PREFIX, ANSWERS_PREFIX];
  return prefixes.map((prefix) => `${prefix}${workspaceId}/`);
}
