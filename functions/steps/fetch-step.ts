// The step kind `fetch`: records of a source that match a condition and words, or groups of them.
import { conditionInWords, listInWords, quote } from '#contract/condition-words.ts';
import {
  DEFAULT_MEASURE,
  fieldOfGroup,
  fieldsOfWhere,
  membersOf,
  numberField,
} from '#contract/conditions.ts';
import { limits } from '#contract/limits.ts';
import type { ParamsOf } from '#contract/steps.ts';
import { cut } from '#platform/cut.ts';
import type { LiveQuery, WorkItem } from '#sources/source-port.ts';
import { groupItems } from './group-items.ts';
import { projection } from './projection.ts';
import { savedItem } from './saved-item.ts';
import type { Item, Step, StepContext } from './step.ts';
import { gather, warnMissingFields, warnUnknownSource } from './step-input.ts';

const LIMIT = 100;
const IN_VAIN_MAX_CHARACTERS = 1000;

interface Fetched {
  items: Item[];
  /** The total number of matches. */
  matched: number;
}

/**
 * Retrieves records (rules.md: steps 1, records, sources 2): those that match `where` and a word of `query`, sorted, or
 * their groups, cut to `limit` with the warning `results_truncated` {matched, returned}; of a live source that has more
 * without `matched`. An unknown source gives no items and `source_not_found`.
 */
export const fetch: Step<'fetch'> = async (context) => {
  const { params } = context;
  const grouped = params.group_by !== undefined || params.measures !== undefined;
  const live = await context.sources.readLive(params.source ?? 'entities', {
    ...askedOfSource(params),
    work: { title: context.title, instructions: context.instructions, items: await itemsToGo(context) },
  });
  const [fetched] = await Promise.all([
    grouped ? fetchGroups(context) : fetchRecords(context),
    warnMissingFields(context, fieldsIn(params)),
  ]);
  if (!fetched) {
    warnUnknownSource(context, params.source ?? 'entities');
    return { items: [] };
  }
  const { items, matched } = fetched;
  if (live && !live.ended) {
    context.warn({
      code: 'results_truncated',
      message: `The source has more than was read; ${items.length} ${grouped ? 'groups' : 'items'} were taken.`,
      details: { returned: items.length },
    });
    return { items, part: { taken: items.length } };
  }
  if (matched === 0 && (params.where || params.query)) return { items, in_vain: await readInVain(context) };
  const left_out = grouped ? undefined : await withoutNumber(context, matched);
  const taken = { items, ...(left_out !== undefined && { left_out }) };
  if (items.length === matched) return taken;
  const part = { matched, taken: items.length };
  if (saysHowMany(context)) return { ...taken, part };
  context.warn({
    code: 'results_truncated',
    message: `${matched} ${grouped ? 'groups' : 'records'} matched; the first ${items.length} were taken.`,
    details: { matched, returned: items.length },
  });
  return { ...taken, part };
};

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Whether the query itself asks for so many: `top 5`, `the five newest`, `the largest` (rules.md: records 11). */
function saysHowMany({ run: { query }, params: { limit, sort } }: StepContext<'fetch'>): boolean {
  if (query === undefined || limit === undefined) return false;
  const word = NUMBER_WORDS[limit - 1];
  const said = new RegExp(`\\b(${limit}${word === undefined ? '' : `|${word}`})\\b`, 'i');
  return said.test(query) || (limit === 1 && sort !== undefined);
}

/** What is asked of a live source: as much as there is where the service itself selects from it. */
function askedOfSource(params: ParamsOf<'fetch'>): Omit<LiveQuery, 'work'> {
  const { query = '', where, sort, group_by, measures, limit = LIMIT } = params;
  const selects =
    [where, sort, group_by, measures].some((param) => param !== undefined) || query.trim() !== '';
  return { query, where, sort, limit: selects ? limits.step_items_max : limit };
}

/**
 * The items of the named steps, which go with a job (rules.md: jobs 3): the first ones, with the warning
 * `results_truncated` {matched, returned} if they are too many.
 */
async function itemsToGo(context: StepContext<'fetch'>): Promise<WorkItem[]> {
  const { context_step_ids = [] } = context.params;
  if (context_step_ids.length === 0) return [];
  const { items } = await gather(context, context_step_ids);
  let room: number = limits.job_items_in_max_bytes;
  const going: WorkItem[] = [];
  for (const { id, kind, name, type, fields } of items.slice(0, limits.job_items_in_max)) {
    const item = { id: kind === 'group' ? null : id, name, type, fields };
    room -= Buffer.byteLength(JSON.stringify(item)) + 1;
    if (room < 0) break;
    going.push(item);
  }
  if (going.length < items.length)
    context.warn({
      code: 'results_truncated',
      message: `The first ${going.length} of ${items.length} items went with the job.`,
      details: { matched: items.length, returned: going.length },
    });
  return going;
}

/** How many records were read, and the condition that none of them meets. */
async function readInVain({
  params,
  sources,
}: Pick<StepContext<'fetch'>, 'params' | 'sources'>): Promise<string> {
  const { source, entity_types } = selectedBy(params);
  const all = await sources.find({ source, entity_types, sort: 'relevance', limit: 1 });
  const types = entity_types && entity_types.length > 0 ? ` of type ${listInWords(entity_types, 'or')}` : '';
  const condition = params.where ? ` where ${conditionInWords(params.where)}` : '';
  const words = params.query ? ` with a word of ${quote(params.query)}` : '';
  const [count, were] = all?.matched === 1 ? ['1 record', 'was'] : [`${all?.matched ?? 0} records`, 'were'];
  return cut(`${count}${types} ${were} read; there is none${condition}${words}.`, IN_VAIN_MAX_CHARACTERS);
}

/** How many records a condition leaves out because a field has no number; undefined for none (rules.md: records 16). */
async function withoutNumber(
  { params, sources }: Pick<StepContext<'fetch'>, 'params' | 'sources'>,
  matched: number,
): Promise<string | undefined> {
  const members = params.where ? membersOf(params.where) : [];
  const fields = members.flatMap((member) => numberField(member) ?? []);
  if (fields.length === 0) return undefined;
  const others = members.filter((member) => numberField(member) === undefined);
  const where = others.length > 0 ? { and: others } : undefined;
  const all = await sources.find({ ...selectedBy(params), where, sort: 'relevance', limit: 1 });
  const count = (all?.matched ?? matched) - matched;
  if (count <= 0) return undefined;
  const [records, have] = count === 1 ? ['1 record', 'has'] : [`${count} records`, 'have'];
  return `${records} ${have} no number in ${listInWords(fields, 'or')} and ${count === 1 ? 'is' : 'are'} not among them.`;
}

const selectedBy = ({ source = 'entities', entity_types, query = '', where }: ParamsOf<'fetch'>) => ({
  source,
  entity_types,
  query,
  where,
});

type Asked = Pick<StepContext<'fetch'>, 'params' | 'sources' | 'run'>;

async function fetchRecords({ params, sources, run }: Asked): Promise<Fetched | null> {
  const { sort, limit = LIMIT, fields = [] } = params;
  const found = await sources.find({ ...selectedBy(params), sort, limit });
  if (!found) return null;
  const project = projection(fields);
  const items = await sources.readEach(found.items, (item) => savedItem(project(item), run));
  return { ...found, items };
}

async function fetchGroups({ params, sources, run }: Asked): Promise<Fetched | null> {
  const { group_by = [], measures = [DEFAULT_MEASURE], sort, limit = LIMIT } = params;
  const selected = selectedBy(params);
  const order = { sort: typeof sort === 'string' ? undefined : sort, limit };
  const found = await sources.group({ ...selected, group_by, measures, ...order });
  if (!found) return null;
  const grouping = { group_by, measures, asked: selected };
  const items = groupItems(found.rows, grouping);
  const count_field = run.output_schema && measures.find(({ op }) => op === 'count')?.as;
  return {
    items: count_field === undefined ? items : items.map((item) => ({ ...item, count_field })),
    matched: found.matched,
  };
}

/** The fields that the params name, apart from measures. */
function fieldsIn({ where, sort, group_by = [], measures = [], fields = [] }: ParamsOf<'fetch'>): string[] {
  const sorted = sort === undefined || typeof sort === 'string' ? [] : sort.map(({ field }) => field);
  return [
    ...(where ? fieldsOfWhere(where) : []),
    ...sorted.filter((field) => !measures.some(({ as }) => as === field)),
    ...group_by.map(fieldOfGroup),
    ...measures.flatMap(({ field }) => field ?? []),
    ...fields,
  ];
}
