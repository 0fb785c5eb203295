// What a step passed on, page by page, and what a filter dropped (rules.md: reads 12).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { StepItem, StepItemList } from '#contract/step-items.ts';
import { findRun, findRunView } from '#domain/runs/find-run.ts';
import { checkpointRun } from '#domain/runs/lifecycle.ts';
import { planOf } from '#domain/runs/saved-plan.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { openList } from '#platform/json-elements.ts';
import { openCheckpoint } from '#store/runs/checkpoints.ts';
import type { RunRecord, StepRecord } from '#store/runs/run-record.ts';
import { Item } from './step-output.ts';

interface Asked {
  which?: 'out' | 'dropped' | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
}

/** Throws run_not_found, step_not_found, checkpoint_not_found, schema_validation_failed (`which`). */
export async function listStepItems(
  workspaceId: string,
  { id, index }: { id?: string | undefined; index?: string | undefined },
  { which = 'out', offset = 0, limit = limits.step_items_page_default }: Asked,
): Promise<StepItemList> {
  const run = await findRun(workspaceId, id);
  const position = run.steps.findIndex((step) => String(step.index) === index);
  const step = run.steps[position];
  if (!step) throw fail('step_not_found');
  if (which === 'dropped' && step.kind !== 'filter')
    throw wrongParam('which', 'out', which, 'Only a filter drops items');
  if (!hasItems(step)) return { object: 'list', total: 0, data: [] };
  const items = which === 'out' ? itemsAt(run, position) : droppedAt(run, position);
  return pageOf(items, { offset, limit, total: which === 'out' ? step.items_out : undefined });
}

/** A step that runs again has none until it is done. */
const hasItems = ({ status, items_out }: StepRecord) =>
  items_out !== undefined && (status === 'completed' || status === 'skipped');

/** What came into a filter and did not go out: as the filter, one input after the other, each item once. */
async function* droppedAt(run: RunRecord, position: number): AsyncGenerator<Item> {
  const seen = new Set<string>();
  for await (const { id } of itemsAt(run, position)) seen.add(id);
  for (const from of await inputsOf(run, position))
    for await (const item of itemsAt(run, from)) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
}

/** The positions of the steps whose items a filter reads (rules.md: steps 3). */
async function inputsOf(run: RunRecord, position: number): Promise<number[]> {
  const plan = await planOf(await findRunView(run.workspace_id, run.id));
  const yielding = run.steps
    .slice(0, position)
    .flatMap(({ items_out }, at) => (items_out === undefined ? [] : [at]));
  const named = plan?.steps[position]?.params.steps_to_filter;
  if (!Array.isArray(named)) return yielding.slice(-1);
  return named
    .map((index) => run.steps.findIndex((step) => step.index === index))
    .filter((at) => yielding.includes(at));
}

/** The items of a step, as they are read. Throws checkpoint_not_found if a deleted run took them along. */
async function* itemsAt(run: RunRecord, position: number): AsyncGenerator<Item> {
  const text = await openCheckpoint({
    workspace_id: run.workspace_id,
    run_id: checkpointRun(run, position),
    position,
  });
  const list = text && (await openList(text, 'items'));
  if (!list)
    throw fail('checkpoint_not_found', { details: { step_index: run.steps[position]?.index ?? position } });
  try {
    for await (const items of list.elements) for (const item of items) yield Item.parse(JSON.parse(item));
  } finally {
    text.destroy();
  }
}

/** A part of the items, and how many there are. Reads no further than it has to when `total` is known. */
async function pageOf(
  items: AsyncIterable<Item>,
  { offset, limit, total }: { offset: number; limit: number; total: number | undefined },
): Promise<StepItemList> {
  const data: StepItem[] = [];
  let count = 0;
  let room = limits.step_items_page_max_bytes;
  for await (const item of items) {
    const isFull = data.length === limit || room <= 0;
    if (isFull && total !== undefined) break;
    count += 1;
    if (isFull || count <= offset) continue;
    const shown = shownItem(item);
    room -= Buffer.byteLength(JSON.stringify(shown));
    if (room >= 0 || data.length === 0) data.push(shown);
  }
  return { object: 'list', total: total ?? count, data };
}

/** The id of a group names no record, and changes with the plan. */
function shownItem({ id, kind, name, type, fields, score }: Item): StepItem {
  return { id: kind === 'group' ? null : id, name, type, fields, ...(score !== undefined && { score }) };
}
