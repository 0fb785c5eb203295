// Makes an operation invalid, usually in one part: a third of what engines are asked.
import { isObject, type Json, type JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';
import { type Asked, expressionHolders, namedItems, objectsOf } from './asked.ts';
import { CONDITIONS, KEY_CONDITIONS, PROJECTIONS, UPDATES, VALUES } from './broken-expressions.ts';
import { partsOf, type Table } from './tables.ts';
import { TOKENS } from './tokens.ts';
import { anyValue, oddValue } from './values.ts';

/** Spoils the operation in place; false when nothing here can be spoiled. */
type Spoiler = (asked: Asked, random: Random, table: Table) => boolean;

const BROKEN: Readonly<Record<string, readonly string[]>> = {
  ConditionExpression: CONDITIONS,
  FilterExpression: CONDITIONS,
  UpdateExpression: UPDATES,
  ProjectionExpression: PROJECTIONS,
  KeyConditionExpression: KEY_CONDITIONS,
};
const TOKEN = /[#:]?[A-Za-z0-9_]+|<>|<=|>=|[^\sA-Za-z0-9_]/g;
const USED_VALUE = /:[a-z][a-z0-9]*/gi;
const ENUMS: readonly (readonly [string, readonly Json[]])[] = [
  ['ReturnValues', ['ALL_NEW', 'UPDATED_OLD', 'X', 'all_old']],
  ['ReturnConsumedCapacity', ['X']],
  ['ReturnValuesOnConditionCheckFailure', ['X', 'ALL_NEW']],
  ['Select', ['X', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES']],
  ['Limit', [0, -1]],
  ['ConsistentRead', [true]],
  ['IndexName', ['Index1', 'none', 'x']],
  ['TotalSegments', [0, 2]],
  ['Segment', [1, -1]],
  ['AttributesToGet', [['s']]],
  ['Expected', [{ s: { Exists: false } }]],
  ['ConditionalOperator', ['OR']],
];

/** An item, a key or a start key: a wrong part of its key. */
const wrongKey: Spoiler = (asked, random, table) => {
  const start = asked.input.ExclusiveStartKey;
  const holders = [...namedItems(asked).map(({ holder }) => holder), ...(isObject(start) ? [start] : [])];
  if (holders.length === 0) return false;
  const holder = random.pick(holders);
  const { name, type } = random.pick([
    ...partsOf(table.key),
    ...table.indexes.flatMap((one) => partsOf(one.key)),
  ]);
  const other = type === 'S' ? 'N' : 'S';
  const wrongs: readonly (() => void)[] = [
    () => delete holder[name],
    () => Object.assign(holder, { other: { S: 'x' } }),
    () => Object.assign(holder, { [name]: { [other]: '1' } }),
    () => Object.assign(holder, { [name]: { [type]: '' } }),
    () => Object.assign(holder, { [name]: { NULL: true } }),
    () => Object.assign(holder, { [name]: oddValue(random) }),
    () => Object.assign(holder, { [name]: anyValue(random) }),
    () => Object.assign(holder, { [name]: { S: 'k'.repeat(random.pick([1024, 1025, 2048, 2049])) } }),
  ];
  random.pick(wrongs)();
  return true;
};

/** An item or an expression's values: a value that there cannot be. */
const wrongValue: Spoiler = (asked, random) => {
  const items = namedItems(asked).map(({ holder }) => holder);
  const values = expressionHolders(asked).map((holder) => holder.ExpressionAttributeValues);
  const holders = [...items, ...values.filter(isObject)];
  if (holders.length === 0) return false;
  const holder = random.pick(holders);
  const name = random.pick([...Object.keys(holder), 'odd']);
  holder[name.startsWith(':') || name === 'odd' ? name : 'odd'] = oddValue(random);
  return true;
};

/** Replaces a valid expression by a list's invalid one, with the values that it uses. */
const brokenExpression: Spoiler = (asked, random, table) => {
  const places = expressionsIn(asked);
  if (places.length === 0) return false;
  const [holder, member] = random.pick(places);
  const range = table.key.range?.name ?? 'sk';
  const broken = random.pick(BROKEN[member] ?? []).replaceAll(/\bsk\b/g, range);
  holder[member] = broken;
  // What other expressions of the same holder use stays defined.
  const others = Object.keys(BROKEN).map((other) => String(holder[other] ?? ''));
  const used = new Set(others.join(' ').match(USED_VALUE));
  const defined = isObject(holder.ExpressionAttributeValues) ? holder.ExpressionAttributeValues : {};
  const kept = Object.entries({ ...VALUES, ...defined }).filter(([name]) => used.has(name));
  if (kept.length > 0) holder.ExpressionAttributeValues = Object.fromEntries(kept);
  else delete holder.ExpressionAttributeValues;
  dropUnusedNames(holder, others.join(' '));
  return true;
};

function dropUnusedNames(holder: JsonObject, expressions: string): void {
  const names = isObject(holder.ExpressionAttributeNames) ? holder.ExpressionAttributeNames : {};
  const kept = Object.entries(names).filter(([name]) => new RegExp(`${name}\\b`).test(expressions));
  if (kept.length > 0) holder.ExpressionAttributeNames = Object.fromEntries(kept);
  else delete holder.ExpressionAttributeNames;
}

function expressionsIn(asked: Asked): (readonly [holder: JsonObject, member: string])[] {
  return expressionHolders(asked).flatMap((holder) =>
    Object.keys(BROKEN)
      .filter((member) => typeof holder[member] === 'string')
      .map((member) => [holder, member] as const),
  );
}

/** Removes, doubles, replaces or moves a token of an expression. */
const changedToken: Spoiler = (asked, random) => {
  const places = expressionsIn(asked);
  if (places.length === 0) return false;
  const [holder, member] = random.pick(places);
  const text = String(holder[member]);
  const tokens = [...text.matchAll(TOKEN)];
  if (tokens.length === 0) return false;
  const { 0: token, index } = random.pick(tokens);
  const [before, after] = [text.slice(0, index), text.slice(index + token.length)];
  const other = random.pick(TOKENS);
  holder[member] = random.pick([
    `${before}${after}`,
    `${before}${token} ${token}${after}`,
    `${before}${other}${after}`,
    `${before}${other} ${token}${after}`,
    `${before}${token}${other}${after}`,
    before,
  ]);
  return true;
};

/** Placeholders that are missing, too many or no placeholders. */
const wrongPlaceholder: Spoiler = (asked, random) => {
  const holder = random.pick(expressionHolders(asked));
  const member = random.pick(['ExpressionAttributeNames', 'ExpressionAttributeValues']);
  const sign = member.endsWith('Names') ? '#' : ':';
  const value: Json = sign === '#' ? 's' : { S: 'x' };
  const placeholders = isObject(holder[member]) ? holder[member] : {};
  const wrongs: readonly (() => void)[] = [
    () => {
      const [first] = Object.keys(placeholders);
      if (first !== undefined) delete placeholders[first];
    },
    () => Object.assign(placeholders, { [`${sign}unused`]: value }),
    () => Object.assign(placeholders, { wrong: value }),
    () => Object.assign(placeholders, { [`${sign}a-b`]: value }),
    () => Object.assign(placeholders, { [sign]: value }),
    () => {
      for (const name of Object.keys(placeholders)) delete placeholders[name];
    },
  ];
  holder[member] = placeholders;
  random.pick(wrongs)();
  return true;
};

/** A member with a value that it cannot have, or not here. */
const wrongMember: Spoiler = ({ input }, random) => {
  const [member, values] = random.pick(ENUMS);
  input[member] = random.pick(values);
  return true;
};

/** A required member that is missing. */
const missingMember: Spoiler = ({ input }, random) => {
  const holders = [
    input,
    ...objectsOf(input.TransactItems).flatMap((one) => Object.values(one).filter(isObject)),
  ];
  const holder = random.pick(holders);
  const members = Object.keys(holder);
  if (members.length === 0) return false;
  delete holder[random.pick(members)];
  return true;
};

/** A table that does not exist. */
const wrongTable: Spoiler = (asked, random, table) => {
  const other = random.pick(['NoSuchTable', 'no']);
  const text = JSON.stringify(asked.input).replaceAll(`"${table.name}"`, `"${other}"`);
  asked.input = JSON.parse(text);
  return true;
};

/** The same item twice; too many of them; none. */
const wrongCount: Spoiler = ({ input }, random) => {
  const requests = isObject(input.RequestItems) ? Object.values(input.RequestItems) : [];
  const lists = [input.TransactItems, ...requests.map((one) => (isObject(one) ? one.Keys : one))].filter(
    Array.isArray,
  );
  if (lists.length === 0) return false;
  const list: Json[] = random.pick(lists);
  const count = random.pick([0, 0, 1, 1, 1, 26, 101]);
  const [first = {}] = list;
  if (count === 0) list.length = 0;
  else if (list.length > 0) for (let left = count; left > 0; left -= 1) list.push(structuredClone(first));
  return true;
};

/** A start key that no page returned. */
const wrongStart: Spoiler = (asked, random, table) => {
  if (asked.operation !== 'Query' && asked.operation !== 'Scan') return false;
  const text = { S: 'a' };
  asked.input.ExclusiveStartKey = random.pick<JsonObject>([
    { [table.key.hash.name]: text },
    { other: text },
    Object.fromEntries(partsOf(table.key).map(({ name }) => [name, { NULL: true }])),
    {
      ...Object.fromEntries(partsOf(table.key).map(({ name, type }) => [name, { [type]: '1' }])),
      other: text,
    },
  ]);
  return true;
};

const SPOILERS: readonly Spoiler[] = [
  ...[wrongKey, wrongKey, wrongValue, brokenExpression, brokenExpression, brokenExpression, changedToken],
  ...[changedToken, wrongPlaceholder, wrongMember, missingMember, wrongTable, wrongCount, wrongStart],
];

/** An invalid copy of the operation; the original stays unchanged. */
export function spoiled(asked: Asked, random: Random, tables: readonly Table[]): Asked {
  const copy = structuredClone(asked);
  const text = JSON.stringify(copy.input);
  const table = tables.find(({ name }) => text.includes(`"${name}"`)) ?? random.pick(tables);
  const faults = random.oneIn(15) ? 2 : 1;
  for (let left = faults; left > 0; left -= 1)
    for (let tries = 10; tries > 0 && !random.pick(SPOILERS)(copy, random, table); tries -= 1);
  return { ...copy, faults };
}
