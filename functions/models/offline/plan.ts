// Planning: the steps for a query, from its words and the workspace's types, fields and values.
import { conditionInWords } from '#contract/condition-words.ts';
import type { FieldSort } from '#contract/conditions.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { StepKind } from '#contract/steps.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { PlanDraft } from '#models/tasks/plan-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { capitalised, humanName, listed, plural } from './items.ts';
import type { Question } from './query/question.ts';
import { readQuery } from './query/read-query.ts';

type Draft = PlanDraft['steps'][number];

/** Of notes, and of records when no type is known. */
const UNSELECTED_LIMIT = 100;

/** A plan that does what is understood of the query; it passes the checks of a client's plan. */
export function plan(asked: InputOf<'plan'>): OutputOf<'plan'> {
  const query = asked.query.replace(/\s+/g, ' ').trim();
  const input = { ...asked, query };
  const question = readQuery(input);
  const { wishes } = question;
  const around = wishes.discover && question.names.length > 0;
  const steps: Draft[] = [retrieval(question)];
  if (question.size) steps.push(ofSize(question.size));
  if (around)
    steps.push(
      draft('discover', 'Find related records', query, {
        limit: 25,
        ...(question.related.length > 0 && { entity_types: question.related.slice(0, 20) }),
      }),
    );
  if (wishes.transform)
    steps.push(
      draft(
        'transform',
        `Write ${listed(wishes.transform.fields.map(humanName))} for each`,
        wishes.transform.instructions,
        {
          output_fields: wishes.transform.fields,
        },
      ),
    );
  if (wishes.analyze && !question.groups)
    steps.push(draft('analyze', 'Analyze what was found', query, { focus: cut(query, 500) }));
  steps.push(draft('reconstitute', 'Write the answer', query, { expected_artifacts: ['table', 'text'] }));
  return {
    title: cut(capitalised(query), limits.plan_title_max_characters) || 'Answer from the workspace',
    steps,
  };
}

const SIZES = {
  '=': 'of exactly',
  '!=': 'other than',
  '<': 'under',
  '<=': 'of at most',
  '>': 'over',
  '>=': 'of at least',
} as const;

/** The groups that have so many records. */
const ofSize = ({ op, value }: NonNullable<Question['size']>): Draft =>
  draft('filter', 'Keep the groups of this size', `Keep those with a count ${SIZES[op]} ${value}.`, {});

function draft(kind: StepKind, title: string, instructions: string, params: JsonObject): Draft {
  const text = cut(instructions, limits.step_instructions_max_characters);
  const named = cut(title, limits.plan_title_max_characters);
  return text === '' ? { kind, title: named, params } : { kind, title: named, instructions: text, params };
}

function cut(text: string, characters: number): string {
  return [...text].slice(0, characters).join('').trim();
}

/** What is read to answer a question, in words. */
export const titleOf = (question: Question): string => retrieval(question).title;

/** The records that the query names, those that it describes, or groups of them. */
function retrieval(question: Question): Draft {
  const { live, names, notes, groups, types, where, sort } = question;
  if (live) return fromSource(question, live);
  if (notes !== null) return source('notes', 'Fetch the notes', cut(notes, 2000));
  if (groups) return grouped(question, groups);
  if (names.length > 0 && where === null && sort.length === 0) return given(names);
  if (types.length === 0) return source('entities', 'Fetch the records', '');
  return records(question);
}

/** The items of a live source, or groups of them. */
function fromSource(question: Question, { source: { name }, word }: NonNullable<Question['live']>): Draft {
  const { where, sort, limit, groups } = question;
  const isOne = groups?.group_by.length === 0;
  return draft('fetch', `Read ${name}${condition(question)}`, '', {
    source: name,
    ...(word !== null && { query: word }),
    ...(where && { where }),
    ...(sort.length > 0 && { sort }),
    ...(groups && groups.group_by.length > 0 && { group_by: groups.group_by }),
    ...(groups && { measures: groups.measures }),
    limit: isOne ? 1 : atMost(limit),
  });
}

/** The records that the query names. */
function given(candidates: ModelItem[]): Draft {
  const ids = [...new Set(candidates.map(({ id }) => id))].slice(0, 50);
  const names = [...new Set(candidates.map(({ name }) => name))];
  const title = `Take ${listed(names.slice(0, 3))}${names.length > 3 ? ' and others' : ''}`;
  return draft('inject_context', title, '', { entities: ids.map((id) => ({ id })) });
}

/** As many as requested; all that a step can take when no number is given. */
const atMost = (limit: number | null) => Math.min(limit ?? limits.step_items_max, limits.step_items_max);

function records(question: Question): Draft {
  const { types, sort, limit } = question;
  return draft('fetch', `Fetch the ${nameOf(types)}${condition(question)}`, '', {
    ...selected(question, sort),
    limit: atMost(limit),
  });
}

function grouped(question: Question, { group_by, measures }: NonNullable<Question['groups']>): Draft {
  const { types, sort, limit } = question;
  const [measure] = measures;
  const names = listed(
    group_by.map((one) =>
      typeof one === 'string' ? humanName(one) : `${one.by} of ${humanName(one.field)}`,
    ),
  );
  const head = names !== '' ? 'Group' : measure?.op === 'count' ? 'Count' : 'Measure';
  const title = `${head} the ${nameOf(types)}${names === '' ? '' : ` by ${names}`}${condition(question)}`;
  return draft('fetch', title, '', {
    ...selected(question, sort),
    ...(group_by.length > 0 && { group_by }),
    measures,
    limit: group_by.length > 0 ? atMost(limit) : 1,
  });
}

function selected({ types, where }: Question, sort: FieldSort[]): JsonObject {
  return {
    source: 'entities',
    entity_types: types.slice(0, 20),
    ...(where && { where }),
    ...(sort.length > 0 && { sort }),
  };
}

function source(name: string, title: string, query: string): Draft {
  return draft('fetch', title, '', { source: name, query, limit: UNSELECTED_LIMIT });
}

const condition = ({ where }: Question) => (where ? ` where ${conditionInWords(where)}` : '');

function nameOf(types: string[]): string {
  return listed(types.map((type) => plural(type, 2)));
}
