// Answers without what DynamoDB leaves open: the order of sets and scans, ids, dates, the way a number is written.
import { isObject, type Json, type JsonObject } from '../../../../lib/local/json-values.ts';
import type { Asked } from './asked.ts';
import type { Answer } from './engines.ts';
import type { Table } from './tables.ts';

const DIGITS = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
const LEFT_OPEN = ['ReadCapacityUnits', 'WriteCapacityUnits'];
const DESCRIBED = [
  'TableName',
  'KeySchema',
  'AttributeDefinitions',
  'GlobalSecondaryIndexes',
  'BillingModeSummary',
];
const DESCRIBED_INDEX = ['IndexName', 'KeySchema', 'Projection'];

/** The one text of a number: without exponent and needless zeros. */
function plainNumber(text: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] = DIGITS.exec(text) ?? [];
  const digits = `${whole}${part}`;
  if (digits === '') return text;
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > 1000) return text;
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0').padEnd(point, '0');
  const at = Math.max(1, point);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const after = padded.slice(at).replace(/0+$/, '');
  const plain = after === '' ? before : `${before}.${after}`;
  return plain === '0' || sign !== '-' ? plain : `-${plain}`;
}

/** The same text for the same value, whatever the order of its members. */
export function stable(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members.map(([name, member]) => `${JSON.stringify(name)}:${stable(member)}`);
  return `{${written.sort().join(',')}}`;
}

const sorted = (list: readonly Json[]): Json[] =>
  [...list].sort((one, other) => (stable(one) < stable(other) ? -1 : 1));

/** A value with its sets in order; its numbers in their one form where the engine may write them in others. */
function plainValue(value: Json | undefined, numbers: boolean): Json {
  if (Array.isArray(value)) return value.map((one) => plainValue(one, numbers));
  if (!isObject(value)) return value ?? null;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    if (name === 'N' && typeof member === 'string') return [name, numbers ? plainNumber(member) : member];
    if (/^[SNB]S$/.test(name) && Array.isArray(member)) {
      const texts = member.map((one) => (name === 'NS' && numbers ? plainNumber(String(one)) : one));
      return [name, sorted(texts)];
    }
    return [name, plainValue(member, numbers)];
  });
  return Object.fromEntries(members.filter(([name]) => !LEFT_OPEN.includes(name)));
}

function only(value: Json | undefined, names: readonly string[]): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]));
}

/** Without dates, sizes, ids and states. */
function described(description: Json | undefined): JsonObject {
  const kept = only(description, DESCRIBED);
  const indexes = Array.isArray(kept.GlobalSecondaryIndexes) ? kept.GlobalSecondaryIndexes : [];
  return {
    ...kept,
    AttributeDefinitions: Array.isArray(kept.AttributeDefinitions) ? sorted(kept.AttributeDefinitions) : null,
    BillingModeSummary: only(kept.BillingModeSummary, ['BillingMode']),
    GlobalSecondaryIndexes: sorted(indexes.map((index) => only(index, DESCRIBED_INDEX))),
  };
}

/** The order that a query must keep: of an index, that of its range key alone. */
function keptOrder({ operation, input }: Asked, tables: readonly Table[], items: readonly Json[]): Json {
  if (operation !== 'Query') return null;
  const table = tables.find(({ name }) => name === input.TableName);
  const index = table?.indexes.find(({ name }) => name === input.IndexName);
  const range = (index ?? table)?.key.range?.name;
  if (range === undefined) return null;
  return items.map((item) => (isObject(item) ? (item[range] ?? null) : null));
}

/** The answer in the form in which two of them are compared. */
export function normalForm(
  asked: Asked,
  answer: Answer,
  tables: readonly Table[],
  anyNumbers: boolean,
): Answer {
  const body = plainValue(answer.body, anyNumbers);
  if (!isObject(body)) return answer;
  if (answer.refusal) {
    const message = answer.refusal.message
      .replaceAll(/\{([^{}]*)\}/g, (_, inner: string) => `{${inOrder(inner)}}`)
      .replaceAll(/(?<=does not project [^[]*)\[([^\]]*)\]/g, (_, inner: string) => `[${inOrder(inner)}]`);
    return { refusal: { ...answer.refusal, message }, body };
  }
  if (Array.isArray(body.Items)) {
    body.order = keptOrder(asked, tables, body.Items);
    body.Items = sorted(body.Items);
  }
  if (isObject(body.Responses))
    for (const [table, items] of Object.entries(body.Responses))
      body.Responses[table] = Array.isArray(items) ? sorted(items) : null;
  if (Array.isArray(body.ConsumedCapacity)) body.ConsumedCapacity = sorted(body.ConsumedCapacity);
  for (const name of ['Table', 'TableDescription']) if (name in body) body[name] = described(body[name]);
  return { body };
}

/** A list of names in a message has no order. */
const inOrder = (text: string): string => text.split(/, ?/).sort().join(', ');
