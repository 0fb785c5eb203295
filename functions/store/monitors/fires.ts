// Fires: what became of each due time, change and request of a monitor.
import { Fire } from '#contract/monitors.ts';
import { expiryOf } from '../table/expiry.ts';
import { getItem, type Item, queryNewest, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import type { MonitorKey, MonitorRecord } from './monitors.ts';

const fireOf = ({ pk: _, sk: id, expires_at_seconds: __, ...fields }: Item): Fire =>
  Fire.parse({ id, ...fields });

/** Write that lists a fire, or replaces the entry of one. `fire.id` is time-ordered. */
export function fireWrite({ workspace_id, monitor_id }: MonitorKey, fire: Fire): Write {
  const { id, ...fields } = fire;
  const Item = { ...keys.fire(workspace_id, monitor_id, id), ...fields, ...expiryOf('fire', fire.fired_at) };
  return { Put: { TableName: tableName(), Item } };
}

/** The change of a monitor that is written with new entries: the newest one, also where a fire that waited is older. */
export function newestFire(
  { last_fire_id }: MonitorRecord,
  listed: Fire[],
): Pick<MonitorRecord, 'last_fire_id'> {
  const ids = [last_fire_id, ...listed.map(({ id }) => id)].filter((id) => id !== undefined);
  return { last_fire_id: ids.toSorted().at(-1) };
}

/** The fire of an id, or undefined. */
export async function get({ workspace_id, monitor_id }: MonitorKey, id: string): Promise<Fire | undefined> {
  const item = await getItem(keys.fire(workspace_id, monitor_id, id));
  return item && fireOf(item);
}

/** The newest fires of a monitor before the one with the id `before`, newest first. */
export async function page(
  { workspace_id, monitor_id }: MonitorKey,
  limit: number,
  before?: string,
): Promise<Fire[]> {
  return (await queryNewest(keys.fires(workspace_id, monitor_id), limit, before)).map(fireOf);
}
