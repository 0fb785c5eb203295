// The step kind `filter`: keeps what the instructions describe.
import { limits } from '#contract/limits.ts';
import { unusable } from '#models/model.ts';
import type { InputOf } from '#models/tasks/index.ts';
import { chunks } from '#platform/chunks.ts';
import { cut } from '#platform/cut.ts';
import { itemsOf, modelItem, previousStep } from './context.ts';
import type { Item, Step } from './step.ts';

const BATCH = limits.filter_batch_items;

/**
 * Keeps the items that match the instructions, best first, at most `limit_to` (rules.md: steps 4); one model call per
 * batch of 25. Throws ModelError when a batch failed for good or is incomplete: a partly filtered list would look
 * complete.
 */
export const filter: Step<'filter'> = async (context) => {
  const { params, instructions } = context;
  const replaces = params.steps_to_filter ?? (await previousStep(context));
  const { items, part } = await itemsOf(context, replaces);
  if (items.length === 0) return { items: [], replaces };
  const batches = chunks(items, BATCH);
  const replies = await context.callEach(
    'filter',
    batches.map((batch): InputOf<'filter'> => ({ instructions, items: batch.map(modelItem) })),
    {
      items_total: items.length,
      items_per_call: BATCH,
      message: `Reading ${items.length} items`,
    },
  );
  const matches = batches.flatMap((batch, i) => {
    const reply = replies[i];
    if (!reply?.ok) throw reply?.error ?? unusable('A batch was not judged.');
    return matchesOf(batch, reply.output.verdicts);
  });
  // The sort is stable: items of equal score keep their order.
  const best = matches.toSorted((left, right) => right.score - left.score);
  const in_vain = `${items.length} ${items.length === 1 ? 'item was' : 'items were'} read; none was kept by: ${cut(instructions, 200)}`;
  return {
    items: best.slice(0, params.limit_to),
    replaces,
    ...(part && { part }),
    ...(best.length === 0 && !part && { in_vain }),
  };
};

function matchesOf(
  batch: Item[],
  verdicts: { keep: boolean; score: number }[],
): (Item & { score: number })[] {
  return batch.flatMap((item, i) => {
    const verdict = verdicts[i];
    if (!verdict) throw unusable('The model left items of a batch unjudged.');
    return verdict.keep ? [{ ...item, score: verdict.score }] : [];
  });
}
