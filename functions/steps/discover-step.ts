// The step kind `discover`: new records related to those in the context.
import { promptSize } from '#models/prompt-bytes.ts';
import { bestPicks } from '#models/tasks/discover-task.ts';
import { fitItem, groupsThatFit, sizeOf } from '#models/tasks/fit.ts';
import type { InputOf } from '#models/tasks/task-registry.ts';
import { isOneOf } from '#sources/record-sources.ts';
import { namedItem } from '#sources/to-items.ts';
import { asMuchAsFits, roomAfter } from './divided.ts';
import { type Neighbour, neighboursOf } from './neighbours.ts';
import { savedItem } from './saved-item.ts';
import { shortenedItems } from './shortened.ts';
import type { Item, Sources, Step, StepContext } from './step.ts';
import { firstOfEach, fitForModel, gather, modelItem } from './step-input.ts';
import { writtenBy } from './written-by.ts';

const LIMIT = 25;
/** The most candidates that the model ranks, and the most known names in the text of the similarity search. */
const CANDIDATES_MAX = 200;
const NAMES_MAX = 10;
/** The most similar records that are read. */
const SIMILAR_MAX = 1000;

type Candidate = Item & { links: string[] };

/**
 * Finds records that are not in the context yet (rules.md: steps 8): reached by at most `depth` relationships or
 * similar in meaning, ranked by one model call. Each has a `discovery_reason`. Throws ModelError.
 */
export const discover: Step<'discover'> = async (context) => {
  const { context_step_ids, entity_types = [], limit = LIMIT, depth = 1 } = context.params;
  const query = context.params.query || context.instructions || context.title;
  const gathered = await gather(context, context_step_ids);
  const known = new Set(gathered.items.map(({ id }) => id));
  const found = [
    ...(await relatedTo(context.sources, gathered.items, depth, entity_types)),
    // The nearest are often in the context already, so ask for that many more.
    ...(await similarTo(context.sources, query, gathered.items, {
      limit: Math.min(SIMILAR_MAX, limit * 2 + known.size),
      entity_types,
    })),
  ].filter(({ id }) => !known.has(id));
  const candidates = new Map(
    firstOfEach(found)
      .slice(0, CANDIDATES_MAX)
      .map((candidate) => [candidate.id, candidate]),
  );
  const asked = { instructions: context.instructions || query, limit };
  const inputs = await inputsFor(context, asked, gathered.items, [...candidates.values()]);
  const replies = await context.callEach('discover', inputs);
  const outputs = replies.map((reply) => {
    if (!reply.ok) throw reply.error;
    return reply.output;
  });
  const picks = bestPicks(outputs);
  return { items: picked(picks, candidates, context).slice(0, limit) };
};

/** One input, or one for each group of candidates that fits a call. */
async function inputsFor(
  context: StepContext<'discover'>,
  asked: Pick<InputOf<'discover'>, 'instructions' | 'limit'>,
  items: Item[],
  found: Candidate[],
): Promise<InputOf<'discover'>[]> {
  const all = found.map((item) => ({ ...modelItem(item), links: item.links }));
  const bytes = await context.bytesFor('discover');
  if (bytes === Number.POSITIVE_INFINITY)
    return [{ ...asked, items: fitForModel(context, { items, texts: [] }).items, candidates: all }];
  const room = roomAfter(bytes, promptSize('discover', { ...asked, items: [], candidates: [] }));
  const known = asMuchAsFits(context, items.map(modelItem), room / 3);
  const left = Math.max(room - sizeOf(known), room / 3);
  const fitted = all.map((candidate) => fitItem(candidate, left));
  const cut = fitted.filter(({ is_cut }) => is_cut).length;
  if (cut > 0) context.warn(shortenedItems(cut, all.length));
  const candidates = fitted.map(({ item }) => item);
  const groups = groupsThatFit(candidates.map(sizeOf), left);
  if (groups.length === 0) groups.push([]);
  return groups.map((group) => ({
    ...asked,
    items: known,
    candidates: group.flatMap((at) => candidates[at] ?? []),
  }));
}

/** The records similar in meaning to the query and the items; a score of 0 does not count. */
async function similarTo(
  sources: Sources,
  query: string,
  items: Item[],
  options: { limit: number; entity_types: string[] },
): Promise<Candidate[]> {
  const text = [query, ...items.slice(0, NAMES_MAX).map(({ name }) => name)].join(' ');
  const similar = await sources.similar(text, { source: 'entities', min_score: 0, ...options });
  return (similar ?? []).filter(({ score = 0 }) => score > 0).map((item) => ({ ...item, links: [] }));
}

/** The records that relationships lead to, each with its links in words. */
async function relatedTo(
  sources: Sources,
  items: Item[],
  depth: number,
  entityTypes: string[],
): Promise<Candidate[]> {
  const seeds = items.filter(({ kind }) => kind === 'entity');
  const neighbours = await neighboursOf(
    sources,
    seeds.map(({ id }) => id),
    depth,
  );
  const entities = new Map(
    (await sources.entities(neighbours.map(({ id }) => id))).map((entity) => [entity.id, entity]),
  );
  const names = new Map([...seeds, ...entities.values()].map(({ id, name }) => [id, name]));
  return neighbours.flatMap((neighbour) => {
    const entity = entities.get(neighbour.id);
    return entity && isOneOf(entity.type, entityTypes)
      ? [{ ...namedItem(entity), links: inWords(neighbour, names) }]
      : [];
  });
}

function inWords({ relationships }: Neighbour, names: Map<string, string>): string[] {
  return relationships.flatMap(({ from_id, type, to_id }) => {
    const [from, to] = [names.get(from_id), names.get(to_id)];
    return from && to ? [`${from} ${type} ${to}`] : [];
  });
}

/** The model's picks as items, without repetitions and unknown ids. */
function picked(
  picks: { id: string; score: number; reason: string }[],
  candidates: Map<string, Candidate>,
  { run, index }: Pick<StepContext, 'run' | 'index'>,
): Item[] {
  const open = new Map(candidates);
  return picks.flatMap(({ id, score, reason }) => {
    const candidate = open.get(id);
    if (!candidate || !open.delete(id)) return [];
    const { links: _, ...item } = candidate;
    const found = { ...item, fields: { ...item.fields, discovery_reason: reason }, score };
    return [savedItem(writtenBy(found, ['discovery_reason'], { run, index }), run)];
  });
}
