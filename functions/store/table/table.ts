// The table: its client, and the transaction that every multi-item write goes through.
import { setImmediate } from 'node:timers';
import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import * as z from 'zod';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';
import { jitter, pause } from '#platform/pause.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { documentClient } from './document-client.ts';
import { hasExpired } from './expiry.ts';

/** Numbers beyond 2^53 come back as bigint instead of losing digits. */
export const wrapNumbers = (text: string) => {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(text) : number;
};

const client = new DynamoDBClient({ ...clientSettings('dynamodb'), maxAttempts: 5 });
export const table = documentClient(client, {
  // A client's object with a member named `constructor` looks like a class instance, but it is a map.
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  unmarshallOptions: { wrapNumbers },
});

export const MAX_ATTEMPTS = 12;
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 1000;

/** Waits before the next of MAX_ATTEMPTS. */
export const backOff = (attempt: number) =>
  pause(jitter(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)));

/** A single write that meets a transaction on its item is refused, and the SDK does not try it again. */
table.middlewareStack.add(
  (next) => async (args) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(args);
      } catch (error) {
        if (!(error instanceof TransactionConflictException) || attempt === MAX_ATTEMPTS) throw error;
        await backOff(attempt);
      }
    }
  },
  { step: 'initialize', name: 'retryTransactionConflict', priority: 'low' },
);

export const tableName = () => env('TABLE_NAME');

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Item = Record<string, unknown>;
export const Key = z.object({ pk: z.string(), sk: z.string() });
export type Key = z.infer<typeof Key>;

/** What has expired may still be there for days. */
function unexpired(items: Item[] = []): Item[] {
  const now = Date.now();
  return items.filter((item) => !hasExpired(item, now));
}

/** As many keys as DynamoDB accepts in one request. */
const BATCH_GET_MAX = 100;

/**
 * Items that are asked for in one turn of the event loop come in one request: what stands before a handler and the handler itself, or
 * many readers of one process. A key is forgotten as its request leaves, so that whoever asks later reads anew.
 */
const reader = new DataLoader<Key, Item | undefined, string>(
  async (wanted) => {
    for (const key of wanted) reader.clear(key);
    const [only] = wanted;
    if (only && wanted.length === 1) return [await readOne(only)];
    // A request that fails forgets its keys once more: one that waits in this request already may then be asked for again.
    const distinct = [...new Map(wanted.map((key) => [nameOf(key), key])).values()];
    const found = new Map((await readBatch(distinct)).map((item) => [nameOf(item), item]));
    return wanted.map((key) => found.get(nameOf(key)));
  },
  { cacheKeyFn: nameOf, maxBatchSize: BATCH_GET_MAX, batchScheduleFn: (send) => void setImmediate(send) },
);

function nameOf({ pk, sk }: Item): string {
  return `${pk} ${sk}`;
}

/** The item of a key as last written, or undefined. */
export function getItem(key: Key): Promise<Item | undefined> {
  return reader.load(key);
}

/** The items of the keys that exist, or the named attributes of them, in no order, each as last written. Keys must be distinct. */
export async function getItems(wanted: Key[], attributes?: string): Promise<Item[]> {
  const projection = attributes && `${attributes}, expires_at_seconds`;
  const found: (Item | undefined)[] = [];
  for (let i = 0; i < wanted.length; i += BATCH_GET_MAX) {
    const batch = wanted.slice(i, i + BATCH_GET_MAX);
    found.push(...(await (projection ? readBatch(batch, projection) : Promise.all(batch.map(getItem)))));
  }
  return found.filter((item) => item !== undefined);
}

async function readOne(Key: Key): Promise<Item | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  return unexpired(Item && [Item])[0];
}

/** What exists of at most BATCH_GET_MAX items. */
async function readBatch(wanted: Key[], ProjectionExpression?: string): Promise<Item[]> {
  const found: Item[] = [];
  let Keys: Item[] = wanted;
  for (let attempt = 1; ; attempt += 1) {
    const page = await table.send(
      new BatchGetCommand({
        RequestItems: { [tableName()]: { Keys, ConsistentRead: true, ProjectionExpression } },
      }),
    );
    found.push(...unexpired(page.Responses?.[tableName()]));
    Keys = page.UnprocessedKeys?.[tableName()]?.Keys ?? [];
    if (Keys.length === 0) return found;
    if (attempt === MAX_ATTEMPTS) throw new ServiceTrouble('the table leaves keys unprocessed');
    // Asked again at once, they would keep the partition throttled that could not give them.
    await backOff(attempt);
  }
}

/** The sort keys under which a partition has items, of those given. */
export async function existing(pk: string, sortKeys: string[]): Promise<Set<string>> {
  const items = await getItems(
    [...new Set(sortKeys)].map((sk) => ({ pk, sk })),
    'sk',
  );
  return new Set(items.map(({ sk }) => String(sk)));
}

/** A page ends after 1 MB; this is about as much, and spares engines that read all the rest before they cut a page. */
const PAGE_ITEMS = 1000;

/** Every item of a partition (whose sort key begins with `prefix`), in order, as last written. */
export async function queryAll(pk: string, prefix = ''): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
        ExclusiveStartKey,
      }),
    );
    items.push(...unexpired(page.Items));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** What one query gives (1 MB or 1,000 items) of a partition from the sort key `from` on, as last written; `next` is the `after` of the next page. */
export async function queryPage(
  pk: string,
  { from = ' ', after }: { from?: string; after?: string | undefined } = {},
): Promise<{ items: Item[]; next: string | undefined }> {
  const page = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      ExpressionAttributeValues: { ':pk': pk, ':from': from },
      ConsistentRead: true,
      Limit: PAGE_ITEMS,
      ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
    }),
  );
  const last = page.LastEvaluatedKey?.sk;
  return { items: unexpired(page.Items), next: typeof last === 'string' ? last : undefined };
}

/** The newest items of a partition whose sort keys grow with time, newest first. */
export async function queryNewest(pk: string, limit: number): Promise<Item[]> {
  const page = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return unexpired(page.Items);
}

/** A condition of a transaction did not hold: the action, its index, and the item it met (if the action asks for it). */
export class ConditionFailed extends Error {
  readonly index: number;
  readonly write: Write | undefined;
  readonly item: Item | undefined;
  constructor(index: number, write?: Write, item?: Item) {
    super(`condition of action ${index} failed`);
    this.name = 'ConditionFailed';
    this.index = index;
    this.write = write;
    this.item = item;
  }
}

/** The table refuses a write for good: an item, or the whole transaction, is too large. To try again cannot help. */
export class WriteRefused extends Error {
  constructor(reason: string) {
    super(`the table refuses the write: ${reason}`);
    this.name = 'WriteRefused';
  }
}

/** Reasons for which a transaction is cancelled that pass by themselves. */
const PASSING = ['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/**
 * Writes all actions or none; a function makes them anew for every try. Conflicts with other transactions and throttling are tried again with jitter.
 * Throws ConditionFailed for the first condition that does not hold, WriteRefused for what is too large; other errors as the SDK throws them,
 * and ServiceTrouble when a try took longer than `withinMs`: its outcome is then unknown.
 */
export async function transact(
  writes: Write[] | (() => Write[]),
  { withinMs }: { withinMs?: number } = {},
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const limit = withinMs === undefined ? undefined : { abortSignal: AbortSignal.timeout(withinMs) };
    const TransactItems = typeof writes === 'function' ? writes() : writes;
    try {
      await table.send(new TransactWriteCommand({ TransactItems }), limit);
      return;
    } catch (error) {
      if (isRefusal(error)) throw new WriteRefused(error.message);
      if (limit?.abortSignal.aborted) throw new ServiceTrouble('the table did not answer in time', error);
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
      if (failed >= 0)
        throw new ConditionFailed(failed, TransactItems[failed], oldItem(reasons[failed]?.Item));
      const passing = reasons.every((reason) => PASSING.includes(reason.Code ?? 'None'));
      if (!passing || attempt === MAX_ATTEMPTS) throw error;
      await backOff(attempt);
    }
  }
}

/** Whether the table found a request, or an action of a transaction, invalid: so it names sizes beyond its limits. */
export function isRefusal(error: unknown): error is Error {
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');
  return error instanceof Error && error.name === 'ValidationException';
}

/** The old item of a failed condition, which the document client has already unmarshalled. */
function oldItem(item: unknown): Item | undefined {
  return typeof item === 'object' && item !== null ? Object.fromEntries(Object.entries(item)) : undefined;
}
