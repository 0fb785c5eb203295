// A run together with its input: what an envelope is made of, in one read.
import type { RunInput } from '#contract/runs.ts';
import { getItems, type Item, type Key } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { inputOf } from './inputs.ts';
import type { RunRecord } from './run-record.ts';
import { runOf } from './runs.ts';

export interface RunView {
  run: RunRecord;
  input: RunInput;
}

function find(items: Item[], key: Key): Item | undefined {
  return items.find((item) => item.pk === key.pk && item.sk === key.sk);
}

/** The runs that exist among the ids, with their inputs, in the order of the ids. */
async function getRunViews(workspaceId: string, runIds: string[]): Promise<RunView[]> {
  const items = await getItems(
    runIds.flatMap((id) => [keys.run(workspaceId, id), keys.input(workspaceId, id)]),
  );
  const views = await Promise.all(
    runIds.map(async (id) => {
      const run = find(items, keys.run(workspaceId, id));
      const input = find(items, keys.input(workspaceId, id));
      if (!run || !input) return [];
      return [{ run: await runOf(run), input: await inputOf(input) }];
    }),
  );
  return views.flat();
}

/** A run with its input, or undefined. */
export async function getRunView(workspaceId: string, runId: string): Promise<RunView | undefined> {
  const [view] = await getRunViews(workspaceId, [runId]);
  return view;
}
