// Capacity units of reads and writes, counted and reported as DynamoDB does.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
import type { JsonObject } from '../../json-values.ts';
import { equalValues, type Item, sizeOfItem } from './attribute-values.ts';
import { unknown } from './refusals.ts';
import { indexKeyOf, keyAttributesIn, type TableDefinition } from './table-definition.ts';

const READ_BLOCK_BYTES = 4096;
const WRITE_BLOCK_BYTES = 1024;

/** Units that a request consumed of one table and its indexes. */
export interface Consumed {
  table: number;
  indexes: Map<string, number>;
}

/** Whether a request asks what it consumes. Throws ValidationException. */
export function asksCapacity({ ReturnConsumedCapacity: detail = 'NONE' }: JsonObject): boolean {
  if (detail === 'TOTAL' || detail === 'NONE') return detail === 'TOTAL';
  throw unknown('the detail', detail);
}

/** Units to read this many bytes at once; half for an eventually consistent read. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_BLOCK_BYTES)) * (consistent ? 1 : 0.5);
}

/** Units to write an item of this many bytes. */
function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_BLOCK_BYTES));
}

/** Units to replace one item by another (undefined: none), of the table and of each index. */
export function unitsOfWrite(
  table: TableDefinition,
  before: Item | undefined,
  after: Item | undefined,
): Consumed {
  const larger = Math.max(before ? sizeOfItem(before) : 0, after ? sizeOfItem(after) : 0);
  const indexes = new Map<string, number>();
  for (const index of table.indexes) {
    const [old, made] = [before, after].map((item) => {
      const key = item && indexKeyOf(index, item);
      return item && key && { key: JSON.stringify(key), projected: keyAttributesIn(item, table, index) };
    });
    const sizes = [old, made].map((entry) => (entry ? writeUnits(sizeOfItem(entry.projected)) : 0));
    const [gone = 0, come = 0] = sizes;
    if (old && made && old.key === made.key) {
      if (!equalValues({ M: old.projected }, { M: made.projected }))
        indexes.set(index.name, Math.max(gone, come));
    } else if (old || made) indexes.set(index.name, gone + come);
  }
  return { table: writeUnits(larger), indexes };
}

/** Adds the units of one part of a request to the total. */
function addConsumed(whole: Consumed, part: Consumed): void {
  whole.table += part.table;
  for (const [name, units] of part.indexes) whole.indexes.set(name, (whole.indexes.get(name) ?? 0) + units);
}

/** An empty total. */
const noneConsumed = (): Consumed => ({ table: 0, indexes: new Map() });

/** `ConsumedCapacity` of a table in replies. A transaction prepares and commits: it costs twice as much. */
export function capacityReply(
  TableName: string,
  { table, indexes }: Consumed,
  isTransaction = false,
): JsonObject {
  // It writes to an index once.
  const ofTable = isTransaction ? table * 2 : table;
  return { TableName, CapacityUnits: [...indexes.values()].reduce((sum, units) => sum + units, ofTable) };
}

/** `ConsumedCapacity` of all tables of a request. */
export function capacityReplies(
  consumed: ReadonlyMap<string, Consumed>,
  isTransaction = false,
): JsonObject[] {
  return [...consumed].map(([name, units]) => capacityReply(name, units, isTransaction));
}

/** Adds the units of one item of a table. */
export function count(consumed: Map<string, Consumed>, table: string, part: Consumed): void {
  const whole = consumed.get(table) ?? noneConsumed();
  addConsumed(whole, part);
  consumed.set(table, whole);
}
