// Every trial of the evaluation, and a part of them.
import { filterTrials } from '#domain/evaluation/filter-trials.ts';
import { groundingTrials } from '#domain/evaluation/grounding-trials.ts';
import { injectionTrials } from '#domain/evaluation/injection-trials.ts';
import { questionTrials } from '#domain/evaluation/question-trials.ts';
import { transformTrials } from '#domain/evaluation/transform-trials.ts';
import { type EvaluationSet, evaluationSets, spread, type Trial } from '#domain/evaluation/trial.ts';
import { sets } from '../questions/questions.ts';

/** What the invented records of the data sets are drawn with. */
const SEED = 20_261_123;

const trialsOf: Readonly<Record<EvaluationSet, () => Trial[]>> = {
  questions: () => sets.flatMap((make) => questionTrials(make(SEED))),
  filter: filterTrials,
  transform: transformTrials,
  grounding: groundingTrials,
  injection: injectionTrials,
};

/** The trials of one set or of all, at most `limit` of each, equally far from each other. */
export function trialsIn(only: EvaluationSet | undefined, limit: number): Trial[] {
  const chosen = only === undefined ? evaluationSets : [only];
  return chosen.flatMap((set) => spread(trialsOf[set](), limit));
}
