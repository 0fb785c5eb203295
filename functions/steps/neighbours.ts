// Traverses relationships outward from records.
import type { Link } from '#contract/record-queries.ts';
import type { Sources } from './step.ts';

/** The most records that one round starts from, and the most found in total. */
const FRONTIER_MAX = 500;
const FOUND_MAX = 1000;
/** The most relationships one round follows, newest first. */
const LINKS_MAX = 10_000;

/** A record reached from the seeds, with the relationships that connect it. */
export interface Neighbour {
  id: string;
  relationships: Link[];
}

/** Records at most `depth` relationships from the seeds, without them; nearest first, then by number of links. */
export async function neighboursOf(
  { linksOf }: Pick<Sources, 'linksOf'>,
  seeds: string[],
  depth: number,
): Promise<Neighbour[]> {
  const isSeed = new Set(seeds);
  const found = new Map<string, Map<string, Link>>();
  const rounds: string[][] = [];
  let frontier = seeds.slice(0, FRONTIER_MAX);
  for (let round = 0; round < depth && frontier.length > 0; round += 1) {
    const reached = new Set<string>();
    for (const relationship of (await linksOf(frontier, LINKS_MAX)).links) {
      for (const end of [relationship.from_id, relationship.to_id].filter((id) => !isSeed.has(id))) {
        const links = found.get(end) ?? new Map<string, Link>();
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
