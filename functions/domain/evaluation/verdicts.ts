// The verdicts of a model on items, as a filter step gets them.
import { unusable } from '#models/model.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { OutputOf } from '#models/tasks/task-registry.ts';
import type { Ask } from './trial.ts';

type Verdict = NonNullable<OutputOf<'filter'>['verdicts'][number]>;

/** A verdict for each item; one that the answer leaves out is asked for alone. Throws ModelError. */
export async function verdictsOn(ask: Ask, instructions: string, items: ModelItem[]): Promise<Verdict[]> {
  const { verdicts } = await ask('filter', { instructions, items });
  const whole: Verdict[] = [];
  for (const [i, item] of items.entries())
    whole.push(verdicts[i] ?? (await verdictOn(ask, instructions, item)));
  return whole;
}

async function verdictOn(ask: Ask, instructions: string, item: ModelItem): Promise<Verdict> {
  const { verdicts } = await ask('filter', { instructions, items: [item] });
  const [verdict] = verdicts;
  if (!verdict) throw unusable('The model left an item unjudged.');
  return verdict;
}
