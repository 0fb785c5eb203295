// The step kind `transform`: new fields for each item.
import type { Json, JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { unusable } from '#models/model.ts';
import { promptSize } from '#models/prompt-bytes.ts';
import { fitItem } from '#models/tasks/fit.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf } from '#models/tasks/task-registry.ts';
import { roomAfter } from './divided.ts';
import { shortenedItems } from './shortened.ts';
import type { Item, Step, StepContext } from './step.ts';
import { itemsOf, modelItem, previousStep } from './step-input.ts';
import { writtenBy } from './written-by.ts';

/**
 * Writes `output_fields` for each item, one model call per item (rules.md: steps 5). Takes the first `limit` items and
 * warns `results_truncated` {received, kept} when there are more. An item whose call failed stays unchanged and is
 * reported with `itemFailed`, all failures together in one `partial_failure` {failed, total}; the step continues
 * (rules.md: steps 6). Throws ModelError when every item failed.
 */
export const transform: Step<'transform'> = async (context) => {
  const { params } = context;
  const output_fields = params.output_fields ?? ['result'];
  const replaces = params.steps_to_transform ?? (await previousStep(context));
  const { items: received } = await itemsOf(context, replaces);
  const items = received.slice(0, limitOf(params.limit, context.run.unlimited_transform));
  if (items.length < received.length)
    context.warn({
      code: 'results_truncated',
      message: `${received.length} items came in; the first ${items.length} were transformed.`,
      details: { received: received.length, kept: items.length },
    });
  if (items.length === 0) return { items, replaces };
  const inputs = await inputsFor(context, items.map(modelItem), output_fields);
  const replies = await context.callEach('transform', inputs, {
    sizes: items.map(() => 1),
    message: `Transforming ${items.length} items`,
  });
  const failures = replies.flatMap((reply) => (reply.ok ? [] : [reply.error]));
  const failed = failures.length;
  // When every item failed, the step is at fault, not its items.
  if (failed === items.length) throw failures[0] ?? unusable('No item was transformed.');
  const transformed = items.map((item, item_index) => {
    const reply = replies[item_index];
    if (reply?.ok)
      return writtenBy(withFields(item, output_fields, reply.output.fields), output_fields, context);
    context.itemFailed(reply?.error ?? unusable('The item was not transformed.'), {
      item_id: item.id,
      item_index,
    });
    return item;
  });
  if (failed > 0)
    context.warn({
      code: 'partial_failure',
      message: `${failed} of ${items.length} items could not be transformed.`,
      details: { failed, total: items.length },
    });
  return { items: transformed, replaces };
};

/** An input for each item, cut to what fits one call. */
async function inputsFor(
  context: StepContext<'transform'>,
  items: ModelItem[],
  output_fields: string[],
): Promise<InputOf<'transform'>[]> {
  const { instructions } = context;
  const bytes = await context.bytesFor('transform');
  const empty = { id: '', type: '', name: '', fields: {} };
  const taken = promptSize('transform', { instructions, output_fields, item: empty });
  const room = roomAfter(bytes, taken);
  const fitted = items.map((item) => fitItem(item, room));
  const cut = fitted.filter(({ is_cut }) => is_cut).length;
  if (cut > 0) context.warn(shortenedItems(cut, items.length));
  return fitted.map(({ item }) => ({ instructions, item, output_fields }));
}

/** The default cap applies unless the run's config lifts it; a plan may ask for less. */
function limitOf(asked: number | undefined, unlimited: boolean): number {
  const cap = unlimited ? limits.transform_unlimited_items : limits.transform_default_items;
  return Math.min(asked ?? limits.transform_default_items, cap);
}

/** Adds exactly the requested fields; a field that the model omitted is null. */
function withFields(item: Item, names: string[], written: Record<string, Json>): Item {
  const added: JsonObject = Object.fromEntries(
    names.map((name) => [name, (Object.hasOwn(written, name) ? written[name] : null) ?? null]),
  );
  return { ...item, fields: { ...item.fields, ...added } };
}
