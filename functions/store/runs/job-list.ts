// The jobs of a workspace by time, newest first: the open ones and those that are over, in the index of work, which
// lags behind the table and has keys only.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type JobKey, jobIdOf } from '#contract/run-keys.ts';
import { type Item, table, tableName } from '../table/table.ts';
import { due, jobLists, jobOfKey } from '../table/table-keys.ts';

/** A job and the time of its creation, epoch ms: its position in a list. */
export interface ListedJobKey extends JobKey {
  created_at: number;
}

const Entry = z.object({ pk: z.string(), sk: z.string(), due_at: z.number() });

/** Newest first; jobs of one millisecond by their ids. Zero: the same job. */
export function newestFirst(left: ListedJobKey, right: ListedJobKey): number {
  const [first, second] = [jobIdOf(left), jobIdOf(right)];
  return right.created_at - left.created_at || Number(first < second) - Number(first > second);
}

/** Jobs of a list after `start`, newest first. `more`: others follow. */
export async function page(
  workspaceId: string,
  list: keyof typeof jobLists,
  { start, limit }: { start?: ListedJobKey | undefined; limit: number },
): Promise<{ listed: ListedJobKey[]; more: boolean }> {
  const listed: ListedJobKey[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const found = await table.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: due.index,
        KeyConditionExpression: 'due_pk = :list AND due_at <= :at',
        ExpressionAttributeValues: {
          ':list': jobLists[list](workspaceId),
          ':at': start?.created_at ?? Number.MAX_SAFE_INTEGER,
        },
        ScanIndexForward: false,
        Limit: limit + 1,
        ExclusiveStartKey,
      }),
    );
    const entries = (found.Items ?? []).map((item) => Entry.parse(item));
    const jobs = entries.map((entry) => ({ ...jobOfKey(entry), created_at: entry.due_at }));
    listed.push(...jobs.filter((job) => !start || newestFirst(start, job) < 0));
    ExclusiveStartKey = found.LastEvaluatedKey;
  } while (ExclusiveStartKey && listed.length <= limit);
  listed.sort(newestFirst);
  return { listed: listed.slice(0, limit), more: listed.length > limit };
}
