// References of an import turned into ids: by the index, all at once, where it can; by the table what it leaves.
import type { EntityRef } from '#contract/entities.ts';
import { describe, log } from '#platform/log.ts';
import * as entities from '#store/records/entities.ts';
import { openIndex } from './open-index.ts';
import { snapshotsLast } from './snapshot.ts';

/** Waiting longer for an index would take more time than it saves. */
const BUDGET_MS = 5000;

/** The id of the one record that each reference names, in their order; undefined where it names none or several. */
export async function resolveIds(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  const known = await knownToIndex(workspaceId, refs);
  const rest = refs.filter((_, i) => known[i] === undefined);
  const found = (await entities.resolveIds(workspaceId, rest)).values();
  return refs.map((_, i) => known[i] ?? found.next().value);
}

/**
 * Ids alone the table looks up a hundred at a time, outside names one at a time. Where files of indexes do not last, the table still
 * answers sooner than an index is restored.
 */
async function knownToIndex(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  if (snapshotsLast() || refs.every((ref) => 'id' in ref)) return [];
  try {
    const ask = await openIndex(workspaceId, BUDGET_MS);
    return await ask('identified', refs);
  } catch (error) {
    log.warn('the index resolves no references', { workspace_id: workspaceId, error: describe(error) });
    return [];
  }
}
