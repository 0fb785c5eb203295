// The operations that read many items, a page at a time: Query and Scan.
import type { JsonObject } from '../../json-values.ts';
import { type Item, readItem, sizeOfItem } from './attribute-values.ts';
import { asksCapacity, type Consumed, capacityReply, readUnits } from './capacity.ts';
import { meets } from './expressions/conditions.ts';
import { type Projection, projectionOf } from './expressions/document-paths.ts';
import { keyConditionOf } from './expressions/key-conditions.ts';
import { Scope } from './expressions/scope.ts';
import { type Condition, type Parsed, parseCondition, parseProjection } from './expressions/syntax.ts';
import type { ItemTable, Reading } from './item-table.ts';
import type { FindTable } from './reads.ts';
import { invalid, requireKnown, unknown } from './refusals.ts';
import { attributesOf, type Index, indexOf, keyAttributesIn, keyIn } from './table-definition.ts';

const PAGE_BYTES = 1024 * 1024;
const OF_SCAN = [
  ...['TableName', 'FilterExpression', 'ProjectionExpression', 'ExpressionAttributeNames'],
  ...['ExpressionAttributeValues', 'ConsistentRead', 'Limit', 'ExclusiveStartKey', 'ReturnConsumedCapacity'],
];
const OF_QUERY = [...OF_SCAN, 'IndexName', 'KeyConditionExpression', 'ScanIndexForward'];

/** Query: a page of the items of one partition of a table or index. */
export function query(input: JsonObject, find: FindTable): JsonObject {
  requireKnown(input, OF_QUERY);
  const keyCondition = parseCondition(input.KeyConditionExpression);
  if (!keyCondition) throw unknown('the key condition', null);
  const page = readPage(input, find, keyCondition);
  const { table, index, scope, filter } = page;
  if (index && (page.projection || filter || input.ConsistentRead === true))
    throw unknown('the index read with', index.name);
  const schema = index ?? table.definition;
  const keyNames = attributesOf(schema).map(({ name }) => name);
  for (const path of filter?.paths ?? [])
    if (keyNames.includes(String(scope.path(path)[0]))) throw invalid('A filter of a query names no key');
  const { hash, range } = keyConditionOf(keyCondition, schema, scope);
  if (page.start && !meets(page.start, keyCondition.tree, scope))
    throw invalid('The start key is outside of what the query reads');
  return pageOf(page, { ...readingFrom(page), hash, range, forward: input.ScanIndexForward !== false });
}

/** Scan: a page of all items of a table. */
export function scan(input: JsonObject, find: FindTable): JsonObject {
  requireKnown(input, OF_SCAN);
  const page = readPage(input, find);
  return pageOf(page, { ...readingFrom(page), forward: true });
}

interface Page {
  table: ItemTable;
  index: Index | undefined;
  scope: Scope;
  asks: boolean;
  limit: number;
  consistent: boolean;
  filter: Parsed<Condition> | undefined;
  projection: Projection | undefined;
  start: Item | undefined;
}

function readPage(input: JsonObject, find: FindTable, keyCondition?: Parsed<Condition>): Page {
  const table = find(input);
  const { Limit: limit = Number.POSITIVE_INFINITY, ExclusiveStartKey, IndexName } = input;
  if (typeof limit !== 'number' || limit < 1) throw unknown('the limit', limit);
  const filter = parseCondition(input.FilterExpression);
  const projected = parseProjection(input.ProjectionExpression);
  const scope = new Scope(input, keyCondition, filter, projected);
  return {
    ...{ table, scope, limit, filter },
    index: IndexName === undefined ? undefined : indexOf(table.definition, IndexName),
    asks: asksCapacity(input),
    consistent: input.ConsistentRead === true,
    projection: projectionOf(projected, scope),
    start: ExclusiveStartKey === undefined ? undefined : readItem(ExclusiveStartKey),
  };
}

/** Where a page begins. Throws ValidationException unless the start is exactly the keys. */
function readingFrom({ table: { definition }, index, start }: Page): Pick<Reading, 'index' | 'after'> {
  if (!start) return { index };
  const keys = keyAttributesIn(start, definition, ...(index ? [index] : []));
  if (Object.keys(keys).length < Object.keys(start).length) throw unknown('the start key', start);
  return { index, after: { key: keyIn(definition, start), indexKey: index && keyIn(index, start) } };
}

function pageOf(page: Page, reading: Reading): JsonObject {
  const { table, index, scope, asks, limit, consistent, filter, projection } = page;
  const { definition } = table;
  const Items: Item[] = [];
  let scanned = 0;
  let bytes = 0;
  let last: Item | undefined;
  let isCut = false;
  for (const stored of table.read(reading)) {
    if (scanned === limit || bytes >= PAGE_BYTES) {
      isCut = true;
      break;
    }
    const whole: Item = JSON.parse(stored.text);
    const item = index ? keyAttributesIn(whole, definition, index) : whole;
    scanned += 1;
    bytes += index ? sizeOfItem(item) : stored.bytes;
    last = whole;
    if (filter && !meets(item, filter.tree, scope)) continue;
    Items.push(projection ? projection(item) : item);
  }
  // As in DynamoDB, a full page does not know whether it is the last.
  const goesOn = last && (isCut || scanned === limit);
  const units = readUnits(bytes, consistent);
  const consumed: Consumed = index
    ? { table: 0, indexes: new Map([[index.name, units]]) }
    : { table: units, indexes: new Map() };
  return {
    ...{ Items, Count: Items.length, ScannedCount: scanned },
    ...(goesOn && { LastEvaluatedKey: keyAttributesIn(last ?? {}, definition, ...(index ? [index] : [])) }),
    ...(asks && { ConsumedCapacity: capacityReply(definition.name, consumed) }),
  };
}
