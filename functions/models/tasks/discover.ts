// The task `discover`: ranks candidate records by how much they add to the items.
import * as z from 'zod';
import { defineTask, type ModelItem, Score, Text } from './task.ts';

interface Input {
  instructions: string;
  items: ModelItem[];
  candidates: (ModelItem & { links: string[] })[];
  limit: number;
}

/** Ids of candidates, best first. */
interface Output {
  picks: { id: string; score: number; reason: string }[];
}

const Answer = z.object({ picks: z.array(z.object({ id: z.string(), score: Score, reason: Text })) });

export const discover = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Pick the candidates that add most to the items at hand for this request, best first, at most `limit`. `score` from 0 to 1; `reason` is ' +
    'one sentence.',
  request: ['instructions', 'limit'],
  answer: Answer,
  judge({ picks }, { candidates, limit }) {
    const known = new Set(candidates.map(({ id }) => id));
    const stranger = picks.find(({ id }) => !known.has(id));
    if (stranger) return `"${stranger.id}" is not the id of a candidate.`;
    if (new Set(picks.map(({ id }) => id)).size !== picks.length)
      return 'A candidate may be picked once only.';
    return { picks: picks.toSorted((a, b) => b.score - a.score).slice(0, limit) };
  },
});
