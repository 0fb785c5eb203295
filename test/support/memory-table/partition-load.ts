// The cost of table calls per partition of the table and its index, in DynamoDB units.
import type { Item } from '#store/table/table.ts';
import type { AwsCall } from '../faults.ts';
import type { MemoryTable } from './memory-table.ts';

/** Units by partition of the table (`table WS#…`) or index (`due RUN#3`). */
export type Load = Map<string, number>;

export interface PartitionLoad {
  reads: Load;
  writes: Load;
  calls: number;
}

export const noLoad = (): PartitionLoad => ({ reads: new Map(), writes: new Map(), calls: 0 });

const add = (load: Load, partition: string, units: number) =>
  load.set(partition, (load.get(partition) ?? 0) + units);
const bytes = (item: unknown) => (item === undefined ? 0 : JSON.stringify(item).length);
const units = (size: number, block: number) => Math.max(1, Math.ceil(size / block));
const READ_BLOCK = 4096;
const WRITE_BLOCK = 1024;

/** Performs a call and adds up its cost. */
export function counted(
  table: MemoryTable,
  load: PartitionLoad,
  { command, input }: AwsCall,
  perform: (input: object) => object,
): object {
  load.calls += 1;
  const { TransactItems, RequestItems } = Object(input);
  if (command === 'QueryCommand') return countedQuery(load, input, perform);
  if (command === 'GetCommand' || command === 'BatchGetCommand') {
    const keys: Item[] = RequestItems
      ? Object.values<{ Keys: Item[] }>(RequestItems).flatMap(({ Keys }) => Keys)
      : [Object(input).Key];
    for (const key of keys) add(load.reads, `table ${key.pk}`, units(bytes(itemOf(table, key)), READ_BLOCK));
    return perform(input);
  }
  const actions: Item[] = TransactItems
    ? TransactItems.map((action: object) => Object.values(action)[0])
    : [input];
  const before = actions.map((action) => itemOf(table, keyOf(action)));
  const reply = perform(input);
  for (const [i, action] of actions.entries())
    countWrite(load, before[i], itemOf(table, keyOf(action)), {
      key: keyOf(action),
      times: TransactItems ? 2 : 1,
    });
  return reply;
}

function keyOf({ Item, Key }: Item): Item {
  const { pk, sk } = Object(Item ?? Key);
  return { pk, sk };
}

function itemOf(table: MemoryTable, Key: Item): Item | undefined {
  return Object(table.perform('GetCommand', { Key })).Item;
}

/** A write costs the larger of the item before and after; the index is charged per entry added or removed. */
function countWrite(
  { writes }: PartitionLoad,
  before: Item | undefined,
  after: Item | undefined,
  { key, times }: { key: Item; times: number },
): void {
  add(writes, `table ${key.pk}`, times * units(Math.max(bytes(before), bytes(after)), WRITE_BLOCK));
  const entry = (item: Item | undefined) =>
    item?.due_pk === undefined ? undefined : `${item.due_pk} ${item.due_at}`;
  if (entry(before) === entry(after)) return;
  for (const item of [before, after]) if (entry(item) !== undefined) add(writes, `due ${item?.due_pk}`, 1);
}

function countedQuery(load: PartitionLoad, input: object, perform: (input: object) => object): object {
  const reply = perform(input);
  const { IndexName, ExpressionAttributeValues: values = {} } = Object(input);
  const partition =
    IndexName === undefined ? `table ${values[':pk']}` : `${IndexName} ${values[':partition']}`;
  add(load.reads, partition, units(bytes(Object(reply).Items), READ_BLOCK));
  return reply;
}
