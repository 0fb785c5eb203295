// The step kind `vector_search`: the records nearest in meaning, with scores.
import { fieldsOfWhere } from '#contract/conditions.ts';
import { savedItem } from './saved-item.ts';
import type { Step } from './step.ts';
import { warnMissingFields, warnOutdatedVectors, warnUnknownSource } from './step-input.ts';

const LIMIT = 20;

/** Scored semantic retrieval, best first (rules.md: steps 2). An unknown source: no items, `source_not_found`. */
export const vectorSearch: Step<'vector_search'> = async (context) => {
  const { source = 'entities', limit = LIMIT, min_score = 0, entity_types, where } = context.params;
  const query = context.params.query || context.instructions || context.title;
  const [items] = await Promise.all([
    context.sources.similar(query, {
      ...{ source, limit, min_score, entity_types, where },
      onOutdated: (found) => warnOutdatedVectors(context, found),
    }),
    warnMissingFields(context, where ? fieldsOfWhere(where) : []),
  ]);
  if (!items) warnUnknownSource(context, source);
  return { items: (items ?? []).map((item) => savedItem(item, context.run)) };
};
