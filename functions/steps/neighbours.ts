// Walks relationships outward from records.
import type { Relationship } from '#contract/entities.ts';
import type { Sources } from './step.ts';

/** The most records that one round starts from, and the most that are found in all. */
const FRONTIER_MAX = 500;
const FOUND_MAX = 1000;

/** A record reached from the seeds, with the relationships that touch it. */
export interface Neighbour {
  id: string;
  relationships: Relationship[];
}

/** Records at most `depth` relationships away from the seeds, seeds excluded; the nearest first, then those with more links. */
export async function neighboursOf(
  { relationshipsOf }: Pick<Sources, 'relationshipsOf'>,
  seeds: string[],
  depth: number,
): Promise<Neighbour[]> {
  const isSeed = new Set(seeds);
  const found = new Map<string, Map<string, Relationship>>();
  const rounds: string[][] = [];
  let frontier = seeds.slice(0, FRONTIER_MAX);
  for (let round = 0; round < depth && frontier.length > 0; round += 1) {
    const reached = new Set<string>();
    for (const relationship of await relationshipsOf(frontier)) {
      for (const end of [relationship.from_id, relationship.to_id].filter((id) => !isSeed.has(id))) {
        const links = found.get(end) ?? new Map<string, Relationship>();
        if (!found.has(end)) reached.add(end);
        found.set(end, links.set(relationship.id, relationship));
      }
    }
    rounds.push([...reached]);
    frontier = [...reached].slice(0, FRONTIER_MAX);
  }
  return rounds
    .flatMap((ids) =>
      ids.toSorted((left, right) => (found.get(right)?.size ?? 0) - (found.get(left)?.size ?? 0)),
    )
    .slice(0, FOUND_MAX)
    .map((id) => ({ id, relationships: [...(found.get(id)?.values() ?? [])] }));
}
