// A plan in words: what a person reads of how a query was understood.
import { conditionInWords, listInWords, quote as text } from '#contract/condition-words.ts';
import type { GroupField, Measure, Sort } from '#contract/conditions.ts';
import { limits } from '#contract/limits.ts';
import type { Plan, PlanStep } from '#contract/plans.ts';
import type { ParamsOf, StepKind } from '#contract/steps.ts';
import { cut } from '#platform/cut.ts';

/** Types, conditions, order, groups and limit of a plan's steps, at most 500 characters. */
export function planInWords({ steps }: Plan): string {
  const phrases = steps.map((step) => phraseOf(step.kind, step)).filter((phrase) => phrase !== '');
  return cut(phrases.join('; then '), limits.understood_as_max_characters);
}

/** What a step does, after "; then"; '' where it adds nothing to what was understood. */
const phrases: { [K in StepKind]: (params: ParamsOf<K>, instructions: string) => string } = {
  fetch: fetched,
  vector_search: ({ query = '', limit, ...selected }, instructions) =>
    `${atMost(limit)}${recordsOf(selected)} nearest in meaning to ${text(query || instructions)}`,
  filter: ({ limit_to }, instructions) =>
    `${atMost(limit_to)}those of them that a model keeps by ${text(instructions)}`,
  transform: ({ output_fields = [] }) =>
    `${listInWords(output_fields, 'and') || 'new fields'} written for each`,
  analyze: () => 'findings about them',
  discover: ({ entity_types = [] }) => `${listInWords(entity_types, 'and') || 'records'} related to them`,
  reconstitute: () => '',
  inject_context: ({ entities = [], note_ids = [], artifact_ids = [], text: given }) =>
    listInWords(
      [
        counted(entities.length, 'given record'),
        counted(note_ids.length, 'given note'),
        counted(artifact_ids.length, 'given artifact'),
        given === undefined ? '' : 'a given text',
      ].filter((part) => part !== ''),
      'and',
    ),
};

function phraseOf<K extends StepKind>(kind: K, { params, instructions }: PlanStep): string {
  // The step's kind decides which params it has.
  return phrases[kind]((params ?? {}) as ParamsOf<K>, instructions ?? '');
}

function fetched({
  query = '',
  where,
  sort,
  limit,
  group_by,
  measures,
  ...selected
}: ParamsOf<'fetch'>): string {
  const words = query.trim() === '' ? '' : ` with a word of ${text(query)}`;
  const condition = where ? ` where ${conditionInWords(where)}` : '';
  const found = `${recordsOf(selected)}${words}${condition}`;
  const order = sort ? `, ${sortInWords(sort)}` : '';
  const most = limit === undefined || limit >= limits.step_items_max ? '' : `, at most ${limit}`;
  if (!group_by && !measures) return `${found}${order}${most}`;
  const measured = listInWords((measures ?? [{ as: 'count', op: 'count' }]).map(measureInWords), 'and');
  const groups = group_by ? ` by ${listInWords(group_by.map(groupInWords), 'and')}` : '';
  return `${measured} of ${found}${groups}${order}${group_by && most ? `${most} groups` : ''}`;
}

/** "city", "month of ordered_at", "total in steps of 20". */
function groupInWords(grouped: GroupField): string {
  if (typeof grouped === 'string') return grouped;
  const { field, by } = grouped;
  return typeof by === 'string' ? `${by} of ${field}` : `${field} in steps of ${by.width}`;
}

function recordsOf({
  source = 'entities',
  entity_types = [],
}: {
  source?: string | undefined;
  entity_types?: string[] | undefined;
}): string {
  const types = listInWords(entity_types, 'and');
  if (source === 'entities') return types || 'all records';
  return types === '' ? source : `${source} about ${types}`;
}

const atMost = (limit: number | undefined) => (limit === undefined ? '' : `at most ${limit} of `);

const counted = (count: number, noun: string) =>
  count === 0 ? '' : count === 1 ? `a ${noun}` : `${count} ${noun}s`;

const sortWords = {
  relevance: 'best matches first',
  updated_desc: 'last updated first',
  created_desc: 'newest first',
  name_asc: 'by name',
} as const;

function sortInWords(sort: Sort): string {
  if (typeof sort === 'string') return sortWords[sort];
  return listInWords(
    sort.map(
      ({ field, direction = 'asc' }) => `${direction === 'asc' ? 'lowest' : 'highest'} ${field} first`,
    ),
    'then',
  );
}

/** How a measure reads, by its operation. */
const measurePhrases: Record<Measure['op'], string> = {
  count: 'number',
  sum: 'sum',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
};

function measureInWords({ op, field }: Measure): string {
  return field === undefined ? measurePhrases[op] : `${measurePhrases[op]} ${field}`;
}
