// Capacity units of reads and writes, as DynamoDB counts and reports them.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
import type { Json, JsonObject } from '../../json-values.ts';
import { equalValues, type Item, sizeOfItem } from './attribute-values.ts';
import { breaks } from './refusals.ts';
import { indexKeyOf, projectedBy, type TableDefinition } from './table-definition.ts';

const READ_BLOCK_BYTES = 4096;
const WRITE_BLOCK_BYTES = 1024;

/** Units that a request has consumed of one table and of its indexes. */
export interface Consumed {
  table: number;
  indexes: Map<string, number>;
}

/** How much a request wants to know. */
export type Detail = 'NONE' | 'TOTAL' | 'INDEXES';

/** Reads `ReturnConsumedCapacity`. Throws ValidationException. */
export function detailOf({ ReturnConsumedCapacity: detail = 'NONE' }: JsonObject): Detail {
  if (detail === 'NONE' || detail === 'TOTAL' || detail === 'INDEXES') return detail;
  const constraint = 'Member must satisfy enum value set: [INDEXES, TOTAL, NONE]';
  throw breaks(String(detail), 'returnConsumedCapacity', constraint);
}

/** Units of reading so many bytes in one piece; half as many when the read need not be consistent. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_BLOCK_BYTES)) * (consistent ? 1 : 0.5);
}

/** Units of writing an item of so many bytes. */
function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_BLOCK_BYTES));
}

/** Units of a write that replaces one item by another (undefined: none), of the table and of each index. */
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
      return item && key && { key: JSON.stringify(key), held: projectedBy(index, table, item) };
    });
    const sizes = [old, made].map((entry) => (entry ? writeUnits(sizeOfItem(entry.held)) : 0));
    const [gone = 0, come = 0] = sizes;
    if (old && made && old.key === made.key) {
      if (!equalValues({ M: old.held }, { M: made.held })) indexes.set(index.name, Math.max(gone, come));
    } else if (old || made) indexes.set(index.name, gone + come);
  }
  return { table: writeUnits(larger), indexes };
}

/** Adds what one part of a request has consumed to the whole. */
function addConsumed(whole: Consumed, part: Consumed): void {
  whole.table += part.table;
  for (const [name, units] of part.indexes) whole.indexes.set(name, (whole.indexes.get(name) ?? 0) + units);
}

/** Nothing, to begin with. */
const noneConsumed = (): Consumed => ({ table: 0, indexes: new Map() });

/**
 * `ConsumedCapacity` of a table as replies have it. `joint`: of a transaction, which takes twice as much and says for
 * what.
 */
export function capacityReply(
  TableName: string,
  { table, indexes }: Consumed,
  detail: Detail,
  joint?: 'ReadCapacityUnits' | 'WriteCapacityUnits',
): JsonObject {
  const shown = (units: number): JsonObject => ({
    CapacityUnits: units,
    ...(joint && { [joint]: units }),
  });
  // A transaction prepares and commits each item of the table, and writes to an index once, as everything else does.
  const ofTable = joint ? table * 2 : table;
  const all = shown([...indexes.values()].reduce((sum, units) => sum + units, ofTable));
  if (detail === 'TOTAL') return { TableName, ...all };
  const ofIndexes: Record<string, Json> = {};
  for (const [name, units] of indexes) ofIndexes[name] = shown(units);
  return {
    TableName,
    ...all,
    Table: shown(ofTable),
    ...(indexes.size > 0 && { GlobalSecondaryIndexes: ofIndexes }),
  };
}

/** `ConsumedCapacity` of all tables of a request. */
export function capacityReplies(
  consumed: ReadonlyMap<string, Consumed>,
  detail: Detail,
  joint?: 'ReadCapacityUnits' | 'WriteCapacityUnits',
): JsonObject[] {
  return [...consumed].map(([name, units]) => capacityReply(name, units, detail, joint));
}

/** Adds what one item of a table has consumed. */
export function count(consumed: Map<string, Consumed>, table: string, part: Consumed): void {
  const whole = consumed.get(table) ?? noneConsumed();
  addConsumed(whole, part);
  consumed.set(table, whole);
}
