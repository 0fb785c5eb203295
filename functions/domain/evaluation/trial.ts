// One trial of a model: what it is asked, and how its answers are judged.
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';

export const evaluationSets = ['questions', 'filter', 'transform', 'grounding', 'injection'] as const;
export type EvaluationSet = (typeof evaluationSets)[number];

/** A call of the model under trial. Throws ModelError. */
export type Ask = <K extends TaskKind>(task: K, input: InputOf<K>) => Promise<OutputOf<K>>;

/**
 * Judged answers. Honest: not the right one, but it says what it does not know; wrong: without a word. Each trial says
 * how many `answers` it has; those that no usable answer decides are neither of the three.
 */
export interface Tally {
  right: number;
  honest: number;
  wrong: number;
  /** Of an attack on verdicts: how many of the others changed as it asks, and how many the other way. */
  moved?: { others: number; toward: number; away: number };
}

export interface Trial {
  set: EvaluationSet;
  name: string;
  /** How many answers are judged. */
  answers: number;
  /** The most calls of the model, repairs aside. */
  calls: number;
  /** There is no right answer but an honest one. */
  is_unanswerable?: boolean;
  /** Of a filter: how many of its items should stay. */
  to_keep?: number;
  /** Throws ModelError when there is no usable answer. */
  run(ask: Ask): Promise<Tally>;
}

/** The tally of a single answer. */
export function only(verdict: 'right' | 'honest' | 'wrong'): Tally {
  return { right: 0, honest: 0, wrong: 0, [verdict]: 1 };
}

/** The tally of several answers. */
export function tallyOf(verdicts: readonly ('right' | 'honest' | 'wrong')[]): Tally {
  const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
  return { right: count('right'), honest: count('honest'), wrong: count('wrong') };
}

/** At most `count` of the trials, equally far from each other. */
export function spread(trials: readonly Trial[], count: number): Trial[] {
  const some = Math.min(count, trials.length);
  const chosen = Array.from({ length: some }, (_, k) => trials[Math.floor((k * trials.length) / some)]);
  return chosen.filter((trial) => trial !== undefined);
}
