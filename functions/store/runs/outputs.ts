// The answer of a run as data. Apart from the run, because each of its commits and each list would read it.
import { RunOutput } from '#contract/output.ts';
import { newId } from '#platform/ids.ts';
import { runObject } from '../table/object-keys.ts';
import { PackedItem, pack, unpack } from '../table/packed.ts';
import { getItem, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** Up to this size compressed, the item with its keys takes one write unit (1 KB); a longer output is an object. */
const INLINE_MAX_BYTES = 750;

/** Write that saves the output of a run. */
export async function outputWrite(workspaceId: string, runId: string, output: RunOutput): Promise<Write> {
  const key = runObject(workspaceId, runId, `output-${newId()}`);
  const body = await pack(output, key, INLINE_MAX_BYTES);
  return { Put: { TableName: tableName(), Item: { ...keys.output(workspaceId, runId), body } } };
}

/** The output of a run, or undefined while it has none. */
export async function readOutput(workspaceId: string, runId: string): Promise<RunOutput | undefined> {
  const item = await getItem(keys.output(workspaceId, runId));
  return item && unpack(PackedItem.parse(item).body, (value) => RunOutput.parse(value));
}
