// A table in memory below the real store, for virtual time, in which no engine answers: what a commit wrote may be
// hidden for a while, and every read is counted.
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { RunRecord } from '#store/runs/run-record.ts';
import { type Item, table } from '#store/table/table.ts';

Object.assign(process.env, {
  TABLE_NAME: 'Table',
  SERVICE_SECRET_ARN: 'secret',
  AWS_REGION: 'us-east-1',
});
mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: 'root' });
const client = mockClient(table);

const items = new Map<string, Item>();
/** Items that no read sees yet. */
export const hidden = new Map<string, Item>();
/** Times of reads since the last reset, epoch ms, by kind. */
export const reads: { kind: 'get' | 'batch' | 'query'; at: number; keys: number }[] = [];
let pageItems = Number.POSITIVE_INFINITY;

const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
const note = (kind: 'get' | 'batch' | 'query', count: number) =>
  reads.push({ kind, at: Date.now(), keys: count });

/** Empties the table; a query gives at most `maxItems` items a page. */
export function resetTable(maxItems = Number.POSITIVE_INFINITY): void {
  items.clear();
  hidden.clear();
  reads.length = 0;
  pageItems = maxItems;
  client.reset();
  client.on(GetCommand).callsFake(({ Key }) => {
    note('get', 1);
    return { Item: items.get(nameOf(Key)) };
  });
  client.on(BatchGetCommand).callsFake(batchGet);
  client.on(QueryCommand).callsFake(query);
  client.on(TransactWriteCommand).callsFake(({ TransactItems = [] }: TransactWriteCommandInput) => {
    for (const { Put } of TransactItems) if (Put?.Item) put(Put.Item);
    return {};
  });
}

/** Lets every read of several items fail. */
export function breakBatchReads(): void {
  client.on(BatchGetCommand).rejects(new Error('table unreachable'));
}

/** Writes an item; as in a table, an attribute without a value is none. */
export function put(item: Item): void {
  items.set(
    nameOf(item),
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)),
  );
}

/** The events' items of a run in order, for tests that hide or delete some. */
export function batchesOf(run: RunRecord): Item[] {
  return [...items.values()]
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

export const remove = (item: Item) => items.delete(nameOf(item));

function batchGet({ RequestItems = {} }: BatchGetCommandInput) {
  const wanted = RequestItems.Table?.Keys ?? [];
  note('batch', wanted.length);
  return { Responses: { Table: wanted.flatMap((key) => items.get(nameOf(key)) ?? []) } };
}

function query({ ExpressionAttributeValues = {}, Limit = 1e9, ExclusiveStartKey }: QueryCommandInput) {
  note('query', 1);
  const { ':pk': pk, ':after': after, ':end': end } = ExpressionAttributeValues;
  const found = [...items.values()]
    .filter((item) => item.pk === pk && String(item.sk) >= after && String(item.sk) <= end)
    .filter((item) => !ExclusiveStartKey || String(item.sk) > ExclusiveStartKey.sk)
    .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
  const page = found.slice(0, Math.min(Limit, pageItems));
  const last = page.at(-1);
  const full = last && (page.length === Limit || page.length < found.length);
  return { Items: page, ...(full && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
}
