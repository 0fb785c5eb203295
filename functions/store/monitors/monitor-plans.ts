// The plan that all runs of a monitor of a query follow: that of the first one (rules.md: monitors 18).
import * as z from 'zod';
import { Warning } from '#contract/events.ts';
import { newId } from '#platform/ids.ts';
import { SavedPlan } from '../runs/inputs.ts';
import { monitorObject } from '../table/object-keys.ts';
import { PackedItem, pack, unpack } from '../table/packed.ts';
import { ConditionFailed, getItem, tableName, transact } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import type { MonitorKey } from './monitors.ts';

/** A plan, and what was said of the query that it was made from. */
export const MonitorPlan = z.object({
  plan: SavedPlan,
  warnings: z.array(Warning),
  interpretation: z.string(),
});
export type MonitorPlan = z.infer<typeof MonitorPlan>;

const Stored = PackedItem.extend({ revision: z.string() });

/** The plan for the body of this revision; undefined until a run has made one. */
export async function readPlan(monitor: MonitorKey, revision: string): Promise<MonitorPlan | undefined> {
  const item = await getItem(keys.monitorPlan(monitor.workspace_id, monitor.monitor_id));
  const stored = item && Stored.parse(item);
  if (stored?.revision !== revision) return undefined;
  return unpack(stored.body, (value) => MonitorPlan.parse(value));
}

/** Saves a plan, unless the monitor has one for this revision, or another body by now, or is gone. */
export async function savePlan(monitor: MonitorKey, revision: string, plan: MonitorPlan): Promise<void> {
  const { workspace_id, monitor_id } = monitor;
  const body = await pack(plan, monitorObject(workspace_id, monitor_id, `plan-${newId()}`));
  const TableName = tableName();
  const ExpressionAttributeValues = { ':revision': revision };
  try {
    await transact([
      {
        Put: {
          TableName,
          Item: { ...keys.monitorPlan(workspace_id, monitor_id), revision, body },
          ConditionExpression: 'attribute_not_exists(pk) OR revision <> :revision',
          ExpressionAttributeValues,
        },
      },
      {
        ConditionCheck: {
          TableName,
          Key: keys.monitor(workspace_id, monitor_id),
          ConditionExpression: 'revision = :revision',
          ExpressionAttributeValues,
        },
      },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
