// Resolves references of an import to ids: with the index where it can, else with the table.
import type { EntityRef } from '#contract/entities.ts';
import { idsInIndex } from '#domain/records/index-home.ts';
import * as entities from '#store/records/entities.ts';

/** For each reference the id of the one record that it names; undefined when it names none or several. */
export async function resolveIds(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  const known = await idsInIndex(workspaceId, refs);
  const rest = refs.filter((_, i) => known[i] === undefined);
  const found = (await entities.resolveIds(workspaceId, rest)).values();
  return refs.map((_, i) => known[i] ?? found.next().value);
}
