// The task `filter`: judges one batch of at most 25 items.
import * as z from 'zod';
import { defineTask, type ModelItem, Score } from './task.ts';

interface Input {
  instructions: string;
  items: ModelItem[];
}

/** One verdict per item, in order. */
interface Output {
  verdicts: { keep: boolean; score: number }[];
}

const Answer = z.object({
  verdicts: z.array(z.object({ index: z.number().int(), keep: z.boolean(), score: Score })),
});

export const filter = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Judge each item by itself: `keep` is true when it is what the request describes. `score` from 0 to 1 says how well it fits. One verdict ' +
    'per item, with the index of the item.',
  request: ['instructions'],
  answer: Answer,
  judge({ verdicts }, { items }) {
    const byIndex = new Map(verdicts.map((verdict) => [verdict.index, verdict]));
    const inOrder = items.flatMap((_, index) => byIndex.get(index) ?? []);
    if (verdicts.length !== items.length || inOrder.length !== items.length)
      return `There must be exactly one verdict for each index from 0 to ${items.length - 1}.`;
    return { verdicts: inOrder.map(({ keep, score }) => ({ keep, score })) };
  },
  halves({ items, ...input }) {
    const half = Math.ceil(items.length / 2);
    if (items.length < 2) return undefined;
    return {
      parts: [
        { ...input, items: items.slice(0, half) },
        { ...input, items: items.slice(half) },
      ],
      joined: (left, right) => ({ verdicts: [...left.verdicts, ...right.verdicts] }),
    };
  },
});
