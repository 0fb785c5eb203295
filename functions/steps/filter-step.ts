// The step kind `filter`: keeps what the instructions describe.
import { limits } from '#contract/limits.ts';
import { unusable } from '#models/model.ts';
import { promptSize } from '#models/prompt-bytes.ts';
import { fitItem, groupsThatFit, sizeOf } from '#models/tasks/fit.ts';
import type { OutputOf } from '#models/tasks/task-registry.ts';
import { chunks } from '#platform/chunks.ts';
import { cut } from '#platform/cut.ts';
import { addressesJudge } from './addresses-judge.ts';
import { roomAfter } from './divided.ts';
import { shortenedItems } from './shortened.ts';
import type { CallProgress, Item, Step, StepContext } from './step.ts';
import { itemsOf, modelItem, previousStep } from './step-input.ts';

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
  const batches = await batchesOf(context, items);
  const judged = await judge(context, batches, {
    sizes: batches.map(({ length }) => length),
    message: `Reading ${items.length} items`,
  });
  const left = batches.flat().filter(({ id }) => !judged.has(id));
  // An item that an answer leaves out is asked for alone (rules.md: models 13).
  const alone = await judge(
    context,
    left.map((item) => [item]),
  );
  const matches = items.flatMap((item) => {
    const verdict = judged.get(item.id) ?? alone.get(item.id);
    if (!verdict) throw unusable('The model left items of a batch unjudged.');
    return verdict.keep ? [{ ...item, score: verdict.score }] : [];
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

/** Items that are judged together: as many as fit, and alone what speaks to the judge (rules.md: models 16). */
async function batchesOf(context: StepContext<'filter'>, whole: Item[]): Promise<Item[][]> {
  const bytes = await context.bytesFor('filter');
  if (bytes === Number.POSITIVE_INFINITY) return chunks(whole, BATCH);
  const { instructions } = context;
  const room = roomAfter(bytes, promptSize('filter', { instructions, items: [] }));
  const fitted = whole.map((item) => fitItem(item, room - ITEM_MARK_BYTES));
  const cut = fitted.filter(({ is_cut }) => is_cut).length;
  if (cut > 0) context.warn(shortenedItems(cut, whole.length));
  const items = fitted.map(({ item }) => item);
  const [alone, together] = [items.filter(speaks), items.filter((item) => !speaks(item))];
  const sizes = together.map((item) => sizeOf(modelItem(item)) + ITEM_MARK_BYTES);
  const batches = groupsThatFit(sizes, room, BATCH).map((group) => group.flatMap((at) => together[at] ?? []));
  return [...batches, ...alone.map((item) => [item])];
}

/** The id of an item in the batch. */
const ITEM_MARK_BYTES = 20;

const speaks = ({ name, fields }: Item) => addressesJudge([name, fields]);

type Verdict = NonNullable<OutputOf<'filter'>['verdicts'][number]>;

/** The verdicts of a call for each batch, by id of the item. */
async function judge(
  context: StepContext<'filter'>,
  batches: Item[][],
  progress?: CallProgress,
): Promise<Map<string, Verdict>> {
  const { instructions } = context;
  const inputs = batches.map((batch) => ({ instructions, items: batch.map(modelItem) }));
  const replies = await context.callEach('filter', inputs, progress);
  const judged = new Map<string, Verdict>();
  for (const [i, batch] of batches.entries()) {
    const reply = replies[i];
    if (!reply?.ok) throw reply?.error ?? unusable('A batch was not judged.');
    for (const [k, { id }] of batch.entries()) {
      const verdict = reply.output.verdicts[k];
      if (verdict) judged.set(id, verdict);
    }
  }
  return judged;
}
