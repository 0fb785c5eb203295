// Every trial of the evaluation, and a part of them.
import { filterTrials } from '#domain/evaluation/filter-trials.ts';
import { groundingTrials } from '#domain/evaluation/grounding-trials.ts';
import { injectionTrials } from '#domain/evaluation/injection-trials.ts';
import { questionTrials } from '#domain/evaluation/question-trials.ts';
import { quickTrials } from '#domain/evaluation/quick.ts';
import { transformTrials } from '#domain/evaluation/transform-trials.ts';
import { type EvaluationSet, evaluationSets, spread, type Trial } from '#domain/evaluation/trial.ts';
import { sets } from '../questions/vocabularies.ts';

/** What the invented records of the data sets are drawn with. */
const SEED = 20_261_123;

const trialsOf: Readonly<Record<EvaluationSet, () => Trial[]>> = {
  questions: () => sets.flatMap((make) => questionTrials(make(SEED))),
  filter: filterTrials,
  transform: transformTrials,
  grounding: groundingTrials,
  injection: injectionTrials,
};

interface Part {
  /** One set; absent: all. */
  only?: EvaluationSet | undefined;
  /** The mix of the quick form in place of all. */
  quick?: boolean;
  /** At most so many of each set, equally far from each other. */
  limit?: number;
}

/** Some of the trials, or all. */
export function trialsIn({ only, quick = false, limit = Number.MAX_SAFE_INTEGER }: Part): Trial[] {
  const mix = quickTrials();
  const chosen = only === undefined ? evaluationSets : [only];
  return chosen.flatMap((set) => {
    const all = quick ? mix.filter((trial) => trial.set === set) : trialsOf[set]();
    return spread(all, limit);
  });
}
