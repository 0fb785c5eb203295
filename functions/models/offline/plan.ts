// Planning: the steps for a query, from its words and the workspace's types, fields and values.
import { nameOfPath } from '#contract/conditions.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { StepKind } from '#contract/steps.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { PlanDraft } from '#models/tasks/plan.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { wordsOf } from '#platform/words.ts';
import { capitalised, humanName, listed, plural } from './items.ts';
import { type Question, readQuestion } from './question.ts';
import { subjectWords } from './relevance.ts';

type Draft = PlanDraft['steps'][number];

const FETCH_AT_LEAST = 100;
const FETCH_AT_MOST = 10_000;

/** A plan that retrieves, filters, works and answers as the query asks; it passes the checks of a client's plan. */
export function plan(asked: InputOf<'plan'>): OutputOf<'plan'> {
  const query = asked.query.replace(/\s+/g, ' ').trim();
  const input = { ...asked, query };
  const question = readQuestion(input);
  const { types, wishes } = question;
  const around = wishes.discover && (input.candidates.length > 0 || types.length === 0);
  const steps: Draft[] = [];
  if (input.candidates.length > (around ? 0 : 1) && (around || types.length === 0))
    steps.push(given(input.candidates));
  else steps.push(retrieval(input, question), ...selection(question));
  if (around)
    steps.push(
      draft('discover', 'Find related records', query, {
        limit: 25,
        ...(types.length > 0 && { entity_types: types.slice(0, 20) }),
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
  if (wishes.analyze)
    steps.push(draft('analyze', 'Analyze what was found', query, { focus: cut(query, 500) }));
  steps.push(draft('reconstitute', 'Write the answer', query, { expected_artifacts: ['table', 'text'] }));
  return {
    title: cut(capitalised(query), limits.plan_title_max_characters) || 'Answer from the workspace',
    steps,
  };
}

function draft(kind: StepKind, title: string, instructions: string, params: JsonObject): Draft {
  const text = cut(instructions, limits.step_instructions_max_characters);
  const named = cut(title, limits.plan_title_max_characters);
  return text === '' ? { kind, title: named, params } : { kind, title: named, instructions: text, params };
}

function cut(text: string, characters: number): string {
  return [...text].slice(0, characters).join('').trim();
}

/** The records that the query names. */
function given(candidates: ModelItem[]): Draft {
  const ids = [...new Set(candidates.map(({ id }) => id))].slice(0, 50);
  const names = [...new Set(candidates.map(({ name }) => name))];
  const title = `Take ${listed(names.slice(0, 3))}${names.length > 3 ? ' and others' : ''}`;
  return draft('inject_context', title, '', { entities: ids.map((id) => ({ id })) });
}

/** The filter step, when no condition can express what the query asks. */
function selection({ types, wishes, open, sort, limit }: Question): Draft[] {
  const best = limit !== null && sort.length === 0;
  if (!best && (types.length === 0 || !open)) return [];
  const title = types.length > 0 ? `Keep the ${nameOf(types)} asked for` : 'Keep the records asked for';
  const params: JsonObject = limit === null ? {} : { limit_to: limit };
  return [draft('filter', title, `Keep ${wishes.selection}`, params)];
}

/** The records of the named types, or those that match the query's words when it names no type. */
function retrieval(input: InputOf<'plan'>, question: Question): Draft {
  const { types, wishes } = question;
  if (types.length > 0) return question.groups ? groups(question, question.groups) : records(input, question);
  if (/\bnotes?\b/i.test(input.query)) return source('notes', 'Fetch the notes', '');
  return source('entities', 'Fetch the records', cut(subjectWords(wishes.selection).join(' '), 2000));
}

/** As many as requested; all of them when a filter follows or no number is given. */
function records({ shape }: InputOf<'plan'>, question: Question): Draft {
  const { types, sort, limit, open } = question;
  const count = shape.types
    .filter(({ type }) => types.includes(type))
    .reduce((sum, entry) => sum + entry.count, 0);
  const all = Math.min(FETCH_AT_MOST, Math.max(FETCH_AT_LEAST, count));
  const exact = limit !== null && sort.length > 0 && !open;
  // More than a filter can judge: those that match the words come first.
  const words = open && question.where === null && count > FETCH_AT_MOST ? wordsBeyond(types, question) : '';
  return draft('fetch', `Fetch the ${nameOf(types)}`, '', {
    ...selected(question),
    ...(words !== '' && { query: words }),
    ...(sort.length > 0 && { sort }),
    limit: exact ? limit : all,
  });
}

/** What the query asks for apart from types. */
function wordsBeyond(types: string[], { wishes }: Question): string {
  const own = new Set(types.flatMap((type) => wordsOf(humanName(type))));
  return cut(
    subjectWords(wishes.selection)
      .filter((word) => !own.has(word))
      .join(' '),
    2000,
  );
}

function groups(question: Question, { group_by, measure }: NonNullable<Question['groups']>): Draft {
  const { types, sort } = question;
  const names = listed(group_by.map(({ path }) => humanName(path)));
  const title = names === '' ? `Count the ${nameOf(types)}` : `Group the ${nameOf(types)} by ${names}`;
  return draft('fetch', measure.op === 'count' || names !== '' ? title : `Measure the ${nameOf(types)}`, '', {
    ...selected(question),
    ...(group_by.length > 0 && { group_by: group_by.map(({ path }) => nameOfPath(path)) }),
    measures: [measure],
    ...(sort.length > 0 && { sort }),
    limit: group_by.length > 0 ? FETCH_AT_MOST : 1,
  });
}

function selected({ types, where }: Question): JsonObject {
  return { source: 'entities', entity_types: types.slice(0, 20), ...(where && { where }) };
}

function source(name: string, title: string, query: string): Draft {
  return draft('fetch', title, '', { source: name, query, limit: FETCH_AT_LEAST });
}

function nameOf(types: string[]): string {
  return listed(types.map((type) => plural(type, 2)));
}
