// A model whose answers a test writes.
import { evaluate, type Tried } from '#domain/evaluation/evaluate.ts';
import type { Trial } from '#domain/evaluation/trial.ts';
import type { Attempt, CallContext, Model } from '#models/model.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { modelOf } from '../../../support/model-of.ts';

export type Script = { [K in TaskKind]?: (input: InputOf<K>) => OutputOf<K> };

const usage = { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10, thinking_tokens: 0 };

export function scripted(script: Script): Model {
  async function call<K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    _context: CallContext,
    { onReply }: Attempt,
  ): Promise<OutputOf<K>> {
    const answer: ((input: InputOf<K>) => OutputOf<K>) | undefined = script[task];
    if (!answer) throw new Error(`the script has no answer for ${task}`);
    onReply(usage);
    return answer(input);
  }
  return modelOf(call);
}

/** How the trials end with a model. */
export const tryAll = (trials: readonly Trial[], model: Model): Promise<Tried[]> =>
  evaluate(trials, {
    model,
    prices: { offline: { input: 1, cached_input: 1, output: 10 } },
    parallel: 4,
  });

/** The sums of the tallies. */
export function sumOf(tried: readonly Tried[]): { right: number; honest: number; wrong: number } {
  const sum = (name: 'right' | 'honest' | 'wrong') =>
    tried.reduce((total, { tally }) => total + (tally?.[name] ?? 0), 0);
  return { right: sum('right'), honest: sum('honest'), wrong: sum('wrong') };
}
