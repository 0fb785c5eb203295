// Model calls that a run keeps for its readers, one item each: the prompt and the answer of every request.
import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { limits } from '#contract/limits.ts';
import type { RunKey } from '#contract/run-keys.ts';
import { SavedCall } from '#contract/saved-calls.ts';
import { newId } from '#platform/ids.ts';
import type { Expiring } from '../table/expiry.ts';
import { runObject } from '../table/object-keys.ts';
import { PackedItem, pack, unpack } from '../table/packed.ts';
import { queryPage, table, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** A call to keep, and when its request was sent (epoch ms). */
export interface CallToKeep {
  at: number;
  call: SavedCall;
}

/** Write that keeps a call as long as its run. */
export async function savedCallWrite(run: RunKey, expiring: Expiring, one: CallToKeep): Promise<Write> {
  return { Put: await putOf(run, expiring, one) };
}

async function putOf(
  { workspace_id, run_id }: RunKey,
  { expires_at_seconds }: Expiring,
  { at, call }: CallToKeep,
): Promise<PutCommandInput> {
  const nonce = newId();
  const body = await pack(call, runObject(workspace_id, run_id, `saved-call-${nonce}`));
  const Key = keys.savedCall(workspace_id, run_id, call.step_index, at, nonce);
  return { TableName: tableName(), Item: { ...Key, body, expires_at_seconds } };
}

/** Keeps calls of a run. */
export async function keepCalls(run: RunKey, expiring: Expiring, calls: CallToKeep[]): Promise<void> {
  await Promise.all(calls.map(async (call) => table.send(new PutCommand(await putOf(run, expiring, call)))));
}

/**
 * At most `limit` calls (of one step) after the sort key `after`, fewer if they would exceed the size of a page. `last`
 * is the sort key of the last one if more may follow.
 */
export async function savedCalls(
  { workspace_id, run_id }: RunKey,
  { limit, after, step_index }: { limit: number; after: string | undefined; step_index: number | undefined },
): Promise<{ calls: SavedCall[]; last: string | undefined }> {
  const prefix = step_index === undefined ? keys.saved : keys.savedOf(step_index);
  const partition = keys.runPartition(workspace_id, run_id);
  const calls: SavedCall[] = [];
  let bytes = 0;
  let last: string | undefined;
  let from: string | undefined = after;
  do {
    const { items, next } = await queryPage(partition, { from: prefix, after: from });
    for (const item of items) {
      if (!String(item.sk).startsWith(prefix)) return { calls, last: undefined };
      if (calls.length === limit) return { calls, last };
      const call = await unpack(PackedItem.parse(item).body, (value) => SavedCall.parse(value));
      bytes += Buffer.byteLength(JSON.stringify(call));
      if (calls.length > 0 && bytes > limits.calls_page_max_bytes) return { calls, last };
      calls.push(call);
      last = String(item.sk);
    }
    from = next;
  } while (from !== undefined);
  return { calls, last: undefined };
}
