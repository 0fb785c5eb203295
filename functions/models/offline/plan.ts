// Planning: the steps for a query, from its words and the workspace's types.
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { StepKind } from '#contract/steps.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { PlanDraft } from '#models/tasks/plan.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { wordsOf } from '#platform/words.ts';
import { readConditions } from './conditions.ts';
import { capitalised, humanName, listed, plural } from './items.ts';
import { subjectWords } from './relevance.ts';
import { shapeOf } from './shape.ts';
import { typesNamed } from './understand.ts';
import { type Wish, wishesOf } from './wishes.ts';

type Draft = PlanDraft['steps'][number];

const FETCH_AT_LEAST = 100;
const FETCH_AT_MOST = 1000;

/** A plan that retrieves, narrows down, works and answers as the query's words ask; it passes the checks of a client's plan. */
export function plan(input: InputOf<'plan'>): OutputOf<'plan'> {
  const query = input.query.replace(/\s+/g, ' ').trim();
  const wishes = wishesOf(query);
  const types = typesNamed(query, input.shape);
  const around = wishes.discover && (input.candidates.length > 0 || types.length === 0);
  const steps: Draft[] = [];
  if (input.candidates.length > (around ? 0 : 1) && (around || types.length === 0))
    steps.push(given(input.candidates));
  else steps.push(retrieval(input, types, wishes), ...selection(input, types, wishes));
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

/** The filter step, when the query asks for less than all records of the types it names. */
function selection(input: InputOf<'plan'>, types: string[], wishes: Wish): Draft[] {
  if (wishes.top === null && !narrowed(wishes.selection, input, types)) return [];
  const title = types.length > 0 ? `Keep the ${nameOf(types)} asked for` : 'Keep the records asked for';
  const params: JsonObject = wishes.top === null ? {} : { limit_to: wishes.top };
  return [draft('filter', title, `Keep ${wishes.selection}`, params)];
}

/** All records of the types named, or those that hold the query's words where it names no type. */
function retrieval({ query, shape }: InputOf<'plan'>, types: string[], wishes: Wish): Draft {
  if (types.length === 0 && /\bnotes?\b/i.test(query)) return source('notes', 'Fetch the notes', '');
  const count = shape.types
    .filter(({ type }) => types.includes(type))
    .reduce((sum, entry) => sum + entry.count, 0);
  const limit = Math.min(FETCH_AT_MOST, Math.max(FETCH_AT_LEAST, count));
  if (types.length > 0)
    return draft('fetch', `Fetch the ${nameOf(types)}`, '', {
      source: 'entities',
      entity_types: types.slice(0, 20),
      limit,
    });
  return source('entities', 'Fetch the records', cut(subjectWords(wishes.selection).join(' '), 2000));
}

function source(name: string, title: string, query: string): Draft {
  return draft('fetch', title, '', { source: name, query, limit: FETCH_AT_LEAST });
}

function nameOf(types: string[]): string {
  return listed(types.map((type) => plural(type, 2)));
}

/** Whether the selecting words ask for more than all records of the types named. */
function narrowed(selection: string, { shape }: InputOf<'plan'>, types: string[]): boolean {
  if (types.length === 0) return false;
  const fields = Object.fromEntries(
    shape.types
      .filter(({ type }) => types.includes(type))
      .flatMap(({ fields: known }) => known.map(({ path }) => [path, path])),
  );
  const items = types.map((type) => ({ id: type, type, name: '', fields }));
  const sentences = readConditions(`Keep ${selection}`, shapeOf(items));
  const own = new Set(types.flatMap((type) => wordsOf(humanName(type))));
  return sentences.some(({ clauses }) =>
    clauses.some(({ requirements }) =>
      requirements.flat().some((test) => test.kind !== 'words' || test.words.some((word) => !own.has(word))),
    ),
  );
}
