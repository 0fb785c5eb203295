// The run that the next run of a monitor is compared with. A separate item: commits of the monitor must not make the
// last commit of a run fail.
import * as z from 'zod';
import { getItem, type Key, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import type { MonitorKey } from './monitors.ts';

const Compared = z.object({
  run_id: z.string(),
  /** Its first table; absent if it had none. */
  table_id: z.string().optional(),
  /** Of the body of the monitor's runs. */
  revision: z.string(),
});
export type Compared = z.infer<typeof Compared>;

const keyOf = ({ workspace_id, monitor_id }: MonitorKey): Key => keys.compared(workspace_id, monitor_id);

/** The last succeeded run of a monitor; undefined if none was compared yet. */
export async function read(monitor: MonitorKey): Promise<Compared | undefined> {
  const item = await getItem(keyOf(monitor));
  return item && Compared.parse(item);
}

/** Write that makes a run the one to compare with; fails if another one has become it since `before` was read. */
export function comparedWrite(monitor: MonitorKey, before: Compared | undefined, after: Compared): Write {
  return {
    Put: {
      TableName: tableName(),
      // It may outlive the run in whose transaction it is written.
      Item: { ...keyOf(monitor), ...after, expires_at_seconds: undefined },
      ...(before
        ? { ConditionExpression: 'run_id = :read', ExpressionAttributeValues: { ':read': before.run_id } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  };
}

/** Write that forgets it, so that the next run is compared with nothing. */
export function forgetWrite(monitor: MonitorKey): Write {
  return { Delete: { TableName: tableName(), Key: keyOf(monitor) } };
}
