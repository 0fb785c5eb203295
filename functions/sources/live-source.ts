// What came from a live source, selected, sorted and grouped as records are (rules.md: sources 2).
import { nameOfPath, sameField } from '#contract/conditions.ts';
import type { FoundGroups, GroupOrder, Selection } from '#contract/record-queries.ts';
import type { LiveView } from './readers.ts';
import { isOneOf, missingFrom, searchTerms } from './record-sources.ts';
import type { FoundItems, ItemQuery, MissingField, Selected } from './source-port.ts';

/** The first items of a selection; without an order in that of the source. */
export async function findLive(view: LiveView, query: ItemQuery): Promise<FoundItems> {
  const { sort = 'as_read', limit } = query;
  const { hits, matched } = await view.find({ ...selectionOf(view, query), sort, limit });
  const items = new Map(view.items.map((item) => [item.id, item]));
  return {
    items: hits.flatMap(({ id, score }) => {
      const item = items.get(id);
      return item ? [{ ...item, ...(score !== undefined && { score }) }] : [];
    }),
    matched,
  };
}

/** The first groups of a selection. */
export function groupLive(view: LiveView, query: Selected & GroupOrder): Promise<FoundGroups> {
  const { group_by, measures, sort, limit } = query;
  return view.group({ ...selectionOf(view, query), group_by, measures, sort, limit });
}

/** Fields that no item has and the source does not describe. */
export function missingLive(
  view: LiveView,
  selected: Pick<Selected, 'source' | 'entity_types'>,
  fields: string[],
): Promise<MissingField[]> {
  const unknown = fields.filter(
    (field) => !view.described.some((name) => sameField(nameOfPath(name), field)),
  );
  return missingFrom([view], selectionOf(view, selected).types, unknown);
}

function selectionOf({ items }: LiveView, { entity_types = [], query = '', where }: Selected): Selection {
  const types =
    entity_types.length === 0
      ? null
      : [...new Set(items.map(({ type }) => type))].filter((type) => isOneOf(type, entity_types));
  return { where, words: searchTerms(query), type_is_word: true, types };
}
