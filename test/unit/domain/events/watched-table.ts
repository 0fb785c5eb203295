// The table in memory below the real store, for virtual time: what a commit wrote may be hidden for a while, and every
// read is counted.
import type { RunRecord } from '#store/runs/run-record.ts';
import type { Item } from '#store/table/table.ts';
import { giveServiceSecret } from '../../../support/fakes.ts';
import type { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import { useMemoryTable } from '../../../support/memory-table/use-memory-table.ts';

giveServiceSecret();

/** The reads by their command, and how many items they ask for. */
const READS: Readonly<Record<string, (input: object) => number>> = {
  GetCommand: () => 1,
  QueryCommand: () => 1,
  BatchGetCommand: (input) => Object(Object(input).RequestItems).Table.Keys.length,
};

let table: MemoryTable;
/** Items that no read sees yet. */
export const hidden = new Map<string, Item>();
/** Times of reads since the last reset, epoch ms, by command. */
export const reads: { command: string; at: number; keys: number }[] = [];
let areBatchReadsBroken = false;

const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;

/** Empties the table; a query gives at most `pageItems` items a page. */
export function resetTable(pageItems = Number.POSITIVE_INFINITY): void {
  hidden.clear();
  reads.length = 0;
  areBatchReadsBroken = false;
  table = useMemoryTable(async ({ command, input }, perform) => {
    const keys = READS[command]?.(input);
    if (keys !== undefined) reads.push({ command, at: Date.now(), keys });
    if (command === 'BatchGetCommand' && areBatchReadsBroken) throw new Error('table unreachable');
    return command === 'QueryCommand' ? cutShort(input, pageItems, perform) : perform(input);
  });
}

/** A page of a query that ends at so many items, as one does that is full of bytes: it goes on only if more follow. */
function cutShort(input: object, pageItems: number, perform: (input: object) => object): object {
  const { Limit = Number.MAX_VALUE } = Object(input);
  if (Limit <= pageItems) return perform(input);
  const { LastEvaluatedKey, ...page } = Object(perform({ ...input, Limit: pageItems }));
  const more = { ...input, ExclusiveStartKey: LastEvaluatedKey, Limit: 1 };
  const goesOn = LastEvaluatedKey && Object(perform(more)).Items.length > 0;
  return { ...page, ...(goesOn && { LastEvaluatedKey }) };
}

/** Lets every read of several items fail. */
export function breakBatchReads(): void {
  areBatchReadsBroken = true;
}

export const put = (item: Item): void => void table.perform('PutCommand', { Item: item });
export const remove = ({ pk, sk }: Item): void => void table.perform('DeleteCommand', { Key: { pk, sk } });

/** The events' items of a run in order, for tests that hide or delete some. */
export function batchesOf(run: RunRecord): Item[] {
  return table
    .items()
    .filter(({ pk, sk }) => String(pk).endsWith(run.id) && String(sk).startsWith('EVENT#'))
    .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
}

/** Hides an item until it is shown. */
export function hide(item: Item): void {
  hidden.set(nameOf(item), item);
  remove(item);
}

export function show(item: Item): void {
  hidden.delete(nameOf(item));
  put(item);
}
