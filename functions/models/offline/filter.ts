// Filtering: one verdict per item, from the conditions of the instructions.

import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import type { Sentence } from './clause.ts';
import { readConditions } from './conditions.ts';
import { fieldsOf } from './items.ts';
import { fitOf, keeps } from './judge.ts';
import { quantityOf } from './numbers.ts';
import { shapeOf } from './shape.ts';

/** Judges each item alone. The score is its rank in the requested order, else the share of conditions it meets. */
export function filter({ instructions, items }: InputOf<'filter'>): OutputOf<'filter'> {
  const shape = shapeOf(items);
  const sentences = readConditions(instructions, shape);
  const rank = sentences.find((sentence) => sentence.rank !== null)?.rank ?? null;
  return {
    verdicts: items.map((item) => ({
      keep: keeps(item, sentences, shape),
      score: rank ? standing(item, rank) : fitOf(item, sentences, shape),
    })),
  };
}

/** The item's sort value squeezed into 0 to 1, so that batches can be merged; 0 without a value. */
function standing(item: ModelItem, { keys, descending }: NonNullable<Sentence['rank']>): number {
  const values = fieldsOf(item)
    .filter(({ key }) => keys.includes(key))
    .flatMap(({ value }) => quantityOf(value) ?? []);
  const value = values.map(({ number, at }) => number ?? at ?? 0)[0];
  if (value === undefined) return 0;
  const size = Math.log1p(Math.abs(value));
  const position = 0.5 + (Math.sign(value) * size) / (1 + size) / 2.001;
  return descending ? position : 1 - position;
}
