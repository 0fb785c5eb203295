// The set `questions`: a question is understood and planned by the model, and its plan is executed over the records.
import { nonsenseIn, spelledAsRecorded } from '#domain/planning/check-plan.ts';
import { ModelError } from '#models/model.ts';
import type { OutputOf } from '#models/tasks/task-registry.ts';
import { chunks } from '#platform/chunks.ts';
import { type FetchParams, type RecordsToAsk, recordsToAsk } from './records-to-ask.ts';
import { type Ask, only, type Tally, type Trial } from './trial.ts';
import { type DataSet, type Found, isTrue, type Truth } from './truth.ts';
import { verdictsOn } from './verdicts.ts';

type PlannedStep = OutputOf<'plan'>['steps'][number];

const FILTER_BATCH = 25;
/** A plan that would have the model read more records than this is not executed: a condition was due. */
const READ_ITEMS_MAX = 100;

/** A trial for each question of a data set. The index is made when the first of them runs. */
export function questionTrials({ name: set, rows, questions }: DataSet): Trial[] {
  let made: RecordsToAsk | undefined;
  const records = () => {
    made ??= recordsToAsk(rows);
    return made;
  };
  return questions.map(([query, truth]) => ({
    ...{ set: 'questions', name: `${set}: ${query}`, answers: 1, calls: 2 },
    is_unanswerable: truth === null,
    run: (ask) => answer(query, truth, records(), ask),
  }));
}

/** Right; honest: refused, or it names the words that it does not understand; or wrong without a word. */
async function answer(query: string, truth: Truth, records: RecordsToAsk, ask: Ask): Promise<Tally> {
  const known = records.known(query);
  const verdict = await ask('understand', { query, strict_mode: true, ...known });
  if (verdict.verdict !== 'clear' || verdict.not_understood.length > 0) return only('honest');
  const steps = await planned(query, verdict.interpretation, records, ask);
  if (!steps) return only('honest');
  const found = await execute(steps, records, ask);
  return only(truth !== null && found !== undefined && isTrue(found, truth) ? 'right' : 'wrong');
}

/** The plan as a run executes it; undefined: it makes no sense, and the run says so. Throws ModelError. */
async function planned(
  query: string,
  interpretation: string,
  { known, ask: askRecords }: RecordsToAsk,
  ask: Ask,
): Promise<PlannedStep[] | undefined> {
  const shown = known(query);
  const types = shown.shape.types.map(({ type }) => type);
  let nonsense: string[] = [];
  const faultsIn = ({ steps }: OutputOf<'plan'>) => {
    nonsense = nonsenseIn(steps, { types, sources: [] });
    return nonsense.length > 0 ? nonsense.join('\n') : undefined;
  };
  try {
    const { steps } = await ask('plan', { query, interpretation, ...shown, faultsIn });
    return (await spelledAsRecorded(steps, shown.shape, [], askRecords)).steps;
  } catch (error) {
    if (error instanceof ModelError && error.fault.cause === 'unusable' && nonsense.length > 0)
      return undefined;
    throw error;
  }
}

/** What the steps find: the last fetch and the filters after it; undefined for a plan that reads nothing. */
async function execute(
  steps: readonly PlannedStep[],
  records: RecordsToAsk,
  ask: Ask,
): Promise<Found | undefined> {
  let found: Found | undefined;
  for (const { kind, params, instructions = '' } of steps) {
    if (kind === 'fetch' || kind === 'inject_context') found = records.found(params satisfies FetchParams);
    if (kind === 'filter' && found?.kind === 'records')
      found = await filtered(found.names, instructions, records, ask);
  }
  return found;
}

async function filtered(
  names: string[],
  instructions: string,
  records: RecordsToAsk,
  ask: Ask,
): Promise<Found | undefined> {
  if (names.length > READ_ITEMS_MAX) return undefined;
  const stay: string[] = [];
  for (const items of chunks(records.named(names), FILTER_BATCH)) {
    const verdicts = await verdictsOn(ask, instructions, items);
    stay.push(...items.filter((_, i) => verdicts[i]?.keep).map(({ name }) => name));
  }
  return { kind: 'records', names: names.filter((name) => stay.includes(name)) };
}
