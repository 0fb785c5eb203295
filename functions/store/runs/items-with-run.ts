// Artifacts, notes and checkpoints of runs whose retention counts from their end: such an item names its run, and lives
// with it.
import type { RunConfig } from '#contract/runs.ts';
import { absentIfGone } from '../table/object-store.ts';
import { getItems, type Item, type Key } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** A run that saves such an item. */
export interface OwningRun {
  id: string;
  workspace_id: string;
  config: RunConfig;
}

/** The attribute by which an item lives with its run; no other run pays for it. */
export function livesWith({ id, config }: OwningRun): { lives_with?: string } {
  return config.retain_seconds === undefined ? {} : { lives_with: id };
}

/** The items that exist, without those of expired runs. Reads only the runs that such items name. */
export async function existingItems(workspaceId: string, items: (Item | undefined)[]): Promise<Item[]> {
  const existing = items.filter((item) => item !== undefined);
  const named = existing.flatMap(({ lives_with }) => (typeof lives_with === 'string' ? [lives_with] : []));
  const runs = await getItems(
    [...new Set(named)].map((id) => keys.run(workspaceId, id)),
    'pk',
  );
  const alive = new Set(runs.map(({ pk }) => pk));
  return existing.filter(
    ({ lives_with }) => typeof lives_with !== 'string' || alive.has(keys.run(workspaceId, lives_with).pk),
  );
}

/** What `open` makes of the living items, without those whose run has been deleted since. */
export async function openExisting<T>(
  workspaceId: string,
  items: (Item | undefined)[],
  open: (item: Item) => Promise<T>,
): Promise<T[]> {
  const alive = await existingItems(workspaceId, items);
  const opened = await Promise.all(alive.map((item) => open(item).catch(absentIfGone)));
  return opened.filter((one) => one !== undefined);
}

/** The same for those that exist among the ids, in their order. */
export async function openMany<T extends { id: string }>(
  workspaceId: string,
  ids: string[],
  keyOf: (workspaceId: string, id: string) => Key,
  open: (item: Item) => Promise<T>,
): Promise<T[]> {
  const items = await getItems([...new Set(ids)].map((id) => keyOf(workspaceId, id)));
  const found = new Map((await openExisting(workspaceId, items, open)).map((one) => [one.id, one]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
