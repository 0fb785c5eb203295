// The step kind `fetch`: records of a source that match a condition and words, or groups of them.
import { DEFAULT_MEASURE, fieldsOfWhere } from '#contract/conditions.ts';
import type { ParamsOf } from '#contract/steps.ts';
import { warnMissingFields, warnUnknownSource } from './context.ts';
import { fieldOf } from './field-of.ts';
import { groupItems } from './groups.ts';
import type { Item, Step, StepContext } from './step.ts';

const LIMIT = 100;

interface Fetched {
  items: Item[];
  /** The total number of matches. */
  matched: number;
}

/**
 * Retrieves records (rules.md: steps 1, records): those that match `where` and a word of `query`, sorted, or their
 * groups, cut to `limit` with the warning `results_truncated` {matched, returned}. An unknown source gives no items and
 * `source_not_found`.
 */
export const fetch: Step<'fetch'> = async (context) => {
  const { params } = context;
  const grouped = params.group_by !== undefined || params.measures !== undefined;
  const [fetched] = await Promise.all([
    grouped ? fetchGroups(context) : fetchRecords(context),
    warnMissingFields(context, fieldsIn(params)),
  ]);
  if (!fetched) {
    warnUnknownSource(context, params.source ?? 'entities');
    return { items: [] };
  }
  const { items, matched } = fetched;
  if (items.length === matched) return { items };
  context.warn({
    code: 'results_truncated',
    message: `${matched} ${grouped ? 'groups' : 'records'} matched; the first ${items.length} were taken.`,
    details: { matched, returned: items.length },
  });
  return { items, part: { matched, taken: items.length } };
};

const selectedBy = ({ source = 'entities', entity_types, query = '', where }: ParamsOf<'fetch'>) => ({
  source,
  entity_types,
  query,
  where,
});

async function fetchRecords({
  params,
  sources,
}: Pick<StepContext<'fetch'>, 'params' | 'sources'>): Promise<Fetched | null> {
  const { sort = 'relevance', limit = LIMIT, fields = [] } = params;
  const found = await sources.find({ ...selectedBy(params), sort, limit, with_names: fields.length > 0 });
  return found && { ...found, items: found.items.map((item) => projected(item, fields)) };
}

async function fetchGroups({
  params,
  sources,
}: Pick<StepContext<'fetch'>, 'params' | 'sources'>): Promise<Fetched | null> {
  const { group_by = [], measures = [DEFAULT_MEASURE], sort, limit = LIMIT } = params;
  const selected = selectedBy(params);
  const order = { sort: typeof sort === 'string' ? undefined : sort, limit };
  const found = await sources.group({ ...selected, group_by, measures, ...order });
  if (!found) return null;
  const grouping = { group_by, measures, asked: selected };
  return { items: await groupItems(found.rows, grouping), matched: found.matched };
}

/** The fields that the params name, apart from measures. */
function fieldsIn({ where, sort, group_by = [], measures = [], fields = [] }: ParamsOf<'fetch'>): string[] {
  const sorted = sort === undefined || typeof sort === 'string' ? [] : sort.map(({ field }) => field);
  return [
    ...(where ? fieldsOfWhere(where) : []),
    ...sorted.filter((field) => !measures.some(({ as }) => as === field)),
    ...group_by,
    ...measures.flatMap(({ field }) => field ?? []),
    ...fields,
  ];
}

/** The item with only these fields, in this order; an empty list keeps all. */
function projected(item: Item, fields: string[]): Item {
  if (fields.length === 0) return item;
  const chosen = fields.flatMap((field) => {
    const value = fieldOf(item, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  const { external_uri: _, external_id: __, source: ___, ...rest } = item;
  return { ...rest, fields: Object.fromEntries(chosen) };
}
