// The operations that read many items, a page at a time: Query and Scan.
import type { JsonObject } from '../../json-values.ts';
import { compareValues, type Item, readItem, sizeOfItem } from './attribute-values.ts';
import { type Consumed, capacityReply, type Detail, detailOf, readUnits } from './capacity.ts';
import { type CheckedCondition, conditionOf } from './expressions/conditions.ts';
import { type Projection, projectionOf } from './expressions/document-paths.ts';
import { keyConditionOf, type RangeCondition } from './expressions/key-conditions.ts';
import { type Path, Scope } from './expressions/scope.ts';
import type { ExpressionKind } from './expressions/tokens.ts';
import type { ItemTable, Reading, StoredItem } from './item-table.ts';
import { type FindTable, refuseLegacy } from './reads.ts';
import { breaks, invalid, unsupported } from './refusals.ts';
import {
  attributesOf,
  type Index,
  indexKeyOf,
  indexOf,
  type KeySchema,
  keyAttributesIn,
  nestedKey,
  projectedBy,
  projects,
  type StoredKey,
  sortable,
  storedKeyOf,
} from './table-definition.ts';

const PAGE_BYTES = 1024 * 1024;

/** Query: a page of the items of one partition of a table or index. */
export function query(input: JsonObject, find: FindTable): JsonObject {
  const { table, index, page, scope } = readPage(
    input,
    find,
    'FilterExpression',
    'KeyConditionExpression',
    'ProjectionExpression',
  );
  const keyCondition = conditionOf('KeyConditionExpression', input.KeyConditionExpression, scope);
  scope.close();
  if (!keyCondition)
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  const schema = index ?? table.definition;
  const { hash, range } = keyConditionOf(keyCondition.tree, schema, scope);
  requireNoKeys(page.filterPaths, schema);
  requireSelectFitsIndex(input, index);
  const start = startOf(input, table, index);
  requireProjected(page, index, table);
  const hashText = sortable(hash);
  if (start) requireWithin(start, hashText, range, schema);
  const forward = input.ScanIndexForward !== false;
  return pageOf(page, { index, hash: hashText, range, after: start, forward });
}

/** Scan: a page of all items of a table or index. */
export function scan(input: JsonObject, find: FindTable): JsonObject {
  const { table, index, page, scope } = readPage(input, find, 'FilterExpression', 'ProjectionExpression');
  if (input.Segment !== undefined || input.TotalSegments !== undefined) throw unsupported('parallel scans');
  scope.close();
  requireSelectFitsIndex(input, index);
  const start = startOf(input, table, index);
  requireProjected(page, index, table);
  return pageOf(page, { index, after: start, forward: true });
}

interface Page {
  table: ItemTable;
  index: Index | undefined;
  detail: Detail;
  limit: number;
  consistent: boolean;
  onlyCount: boolean;
  filter: CheckedCondition | undefined;
  filterPaths: readonly Path[];
  projection: Projection | undefined;
}

function readPage(input: JsonObject, find: FindTable, ...kinds: ExpressionKind[]) {
  const table = find(input);
  refuseLegacy(input);
  const detail = detailOf(input);
  const index = input.IndexName === undefined ? undefined : indexOf(table.definition, input.IndexName);
  const consistent = input.ConsistentRead === true;
  if (consistent && index) throw invalid('Consistent reads are not supported on global secondary indexes');
  const limit = input.Limit ?? undefined;
  if (limit !== undefined && (typeof limit !== 'number' || limit < 1))
    throw breaks(String(limit), 'limit', 'Member must have value greater than or equal to 1');
  requireSelect(input);
  const scope = new Scope(input, ...kinds);
  const filter = conditionOf('FilterExpression', input.FilterExpression, scope);
  const projection = projectionOf(input.ProjectionExpression, scope);
  requireSelectFits(input, projection !== undefined);
  const page: Page = {
    table,
    index,
    detail,
    limit: limit ?? Number.POSITIVE_INFINITY,
    consistent,
    onlyCount: input.Select === 'COUNT',
    filter,
    filterPaths: filter?.paths.map((path) => scope.path(path)) ?? [],
    projection,
  };
  return { table, index, page, scope };
}

const SELECTS = ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'];

/** Throws ValidationException for an unknown `Select`. */
function requireSelect({ Select }: JsonObject): void {
  if (Select === undefined || Select === null) return;
  if (typeof Select !== 'string' || !SELECTS.includes(Select))
    throw breaks(String(Select), 'select', `Member must satisfy enum value set: [${SELECTS.join(', ')}]`);
}

/** Throws ValidationException for a `Select` that the table or index cannot provide. */
function requireSelectFitsIndex({ Select }: JsonObject, index: Index | undefined): void {
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && !index)
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  if (Select === 'ALL_ATTRIBUTES' && index && index.projected !== undefined)
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
}

/** Throws ValidationException for a `Select` that conflicts with the presence or absence of a projection. */
function requireSelectFits({ Select }: JsonObject, projects: boolean): void {
  if (Select === 'SPECIFIC_ATTRIBUTES' && !projects)
    throw invalid(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  if (Select !== undefined && Select !== null && Select !== 'SPECIFIC_ATTRIBUTES' && projects)
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${Select === 'COUNT' ? 'only the Count' : String(Select)}`,
    );
}

function requireNoKeys(paths: readonly Path[], schema: KeySchema): void {
  for (const [name, ...rest] of paths)
    if (attributesOf(schema).some((key) => key.name === name))
      throw rest.length > 0
        ? nestedKey(String(name))
        : invalid(
            `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
          );
}

/** Throws ValidationException for attributes that the index does not contain. */
function requireProjected(
  { filterPaths, projection }: Page,
  index: Index | undefined,
  { definition }: ItemTable,
): void {
  if (!index || index.projected === undefined) return;
  const missing = (paths: readonly Path[]) => [
    ...new Set(paths.map(([name]) => String(name)).filter((name) => !projects(index, definition, name))),
  ];
  const filtered = missing(filterPaths);
  if (filtered.length > 0)
    throw invalid(
      `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more filter attributes: [${filtered.join(', ')}]`,
    );
  const projected = missing(projection?.paths ?? []);
  if (projected.length > 0)
    throw invalid(
      `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${projected.join(', ')}]`,
    );
}

interface Start {
  key: StoredKey;
  indexKey: StoredKey | undefined;
  item: Item;
}

function startOf(
  { ExclusiveStartKey }: JsonObject,
  { definition }: ItemTable,
  index: Index | undefined,
): Start | undefined {
  if (ExclusiveStartKey === undefined || ExclusiveStartKey === null) return undefined;
  const item = readItem(ExclusiveStartKey);
  const schemas = [definition, ...(index ? [index] : [])];
  const expected = new Set(schemas.flatMap((one) => attributesOf(one).map(({ name }) => name)));
  const wrong = () => invalid('The provided starting key is invalid');
  if (Object.keys(item).length !== expected.size) throw wrong();
  let key: StoredKey;
  try {
    key = storedKeyOf(definition, keyAttributesIn(item, definition));
  } catch {
    throw invalid('The provided starting key is invalid: The provided key element does not match the schema');
  }
  if (!index) return { key, indexKey: undefined, item };
  const fits = attributesOf(index).every(({ name, type }) => item[name]?.[type] !== undefined);
  const indexKey = fits ? indexKeyOf(index, item) : undefined;
  if (!indexKey) throw wrong();
  return { key, indexKey, item };
}

/** Throws ValidationException for a start key outside the query's range. */
function requireWithin(
  { key, indexKey, item }: Start,
  hash: string,
  range: RangeCondition | undefined,
  schema: KeySchema,
): void {
  if ((indexKey ?? key).hash !== hash)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  const value = schema.range && item[schema.range.name];
  if (!range || !value) return;
  const holds = (operator: RangeCondition['operator'], other: Item[string]) => {
    if (operator === 'begins_with') return sortable(value).startsWith(sortable(other));
    const order = compareValues(value, other) ?? 0;
    return order === 0 ? operator.includes('=') : operator.startsWith(order < 0 ? '<' : '>');
  };
  const isWithin =
    range.operator === 'between'
      ? holds('>=', range.low) && holds('<=', range.high)
      : holds(range.operator, range.value);
  if (!isWithin) throw invalid('The provided starting key does not match the range key predicate');
}

const parsed = ({ text }: StoredItem): Item => JSON.parse(text);

function pageOf(page: Page, reading: Reading): JsonObject {
  const { table, index, detail, limit, consistent, onlyCount, filter, projection } = page;
  const { definition } = table;
  const items: Item[] = [];
  let count = 0;
  let scanned = 0;
  let bytes = 0;
  let last: Item | undefined;
  let isCut = false;
  for (const stored of table.read(reading)) {
    if (scanned === limit || bytes >= PAGE_BYTES) {
      isCut = true;
      break;
    }
    const whole = parsed(stored);
    const item = index ? projectedBy(index, definition, whole) : whole;
    scanned += 1;
    bytes += index && index.projected !== undefined ? sizeOfItem(item) : stored.bytes;
    last = whole;
    if (filter && !filter.test(item)) continue;
    count += 1;
    if (!onlyCount) items.push(projection ? projection.of(item) : item);
  }
  // As in DynamoDB, a full page does not know whether it is the last.
  const goesOn = last && (isCut || scanned === limit);
  const units = readUnits(bytes, consistent);
  const consumed: Consumed = index
    ? { table: 0, indexes: new Map([[index.name, units]]) }
    : { table: units, indexes: new Map() };
  return {
    ...(!onlyCount && { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(goesOn && { LastEvaluatedKey: keyAttributesIn(last ?? {}, definition, ...(index ? [index] : [])) }),
    ...(detail !== 'NONE' && { ConsumedCapacity: capacityReply(definition.name, consumed, detail) }),
  };
}
