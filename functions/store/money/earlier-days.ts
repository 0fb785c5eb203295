// Days as an earlier version of the service has stored them: a part in the counters, and shards only while an attribute
// of the counters says so. The parts are read until their day is over, then the sweep removes them; and the attribute
// is set for functions of that version, which still run for a while during a deployment.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { getItem, type Item, table, tableName } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const PREFIX = 'spent#';

/** The part of a claim that has the earlier version read the shards of every day. */
export const SHARDS_READ = {
  set: 'shards_until = :always',
  values: { ':always': Number.MAX_SAFE_INTEGER },
};

/** The part of a day in the counters, with the names of a shard. */
export function dayInCounters(counters: Item | undefined, day: string): Item {
  const prefix = `${PREFIX}${day}`;
  const parts = Object.entries(counters ?? {}).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(parts.map(([name, pico]) => [name.slice(prefix.length + 1) || 'spent', pico]));
}

/** Removes past days from the counters; `today` is a UTC day. */
export async function removePastDays(workspaceId: string, today: string): Promise<void> {
  const Key = keys.counters(workspaceId);
  const names = Object.keys((await getItem(Key)) ?? {});
  const past = names.filter((name) => name.startsWith(PREFIX) && name < `${PREFIX}${today}`);
  if (past.length === 0) return;
  const placeholders = past.map((name, i) => [`#past${i}`, name] as const);
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key,
      UpdateExpression: `REMOVE ${placeholders.map(([placeholder]) => placeholder).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(placeholders),
    }),
  );
}
