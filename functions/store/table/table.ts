// The table: its client, and the transaction that every multi-item write goes through.
import { setImmediate } from 'node:timers';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import * as z from 'zod';
import { clientSettings } from '#platform/aws-client.ts';
import { chunks } from '#platform/chunks.ts';
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

/** DynamoDB refuses a single write that conflicts with a transaction, and the SDK does not retry it. */
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

/** Expired items may remain in the table for days. */
function unexpired(items: Item[] = []): Item[] {
  const now = Date.now();
  return items.filter((item) => !hasExpired(item, now));
}

/** As many keys as DynamoDB accepts in one request. */
const BATCH_GET_MAX = 100;

/**
 * Batches the items requested in one turn of the event loop into one request. A key is forgotten when its request
 * leaves, so that a later caller reads it again.
 */
const reader = new DataLoader<Key, Item | undefined, string>(
  async (wanted) => {
    for (const key of wanted) reader.clear(key);
    const [only] = wanted;
    if (only && wanted.length === 1) return [await readOne(only)];
    // A failed request clears its keys again: another read in the same request may have cached one.
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

/**
 * The items of the keys that exist, or the named attributes of them, in no order, each as last written. Keys must be
 * distinct.
 */
export async function getItems(wanted: Key[], attributes?: string): Promise<Item[]> {
  const projection = attributes && `${attributes}, expires_at_seconds, retained_until`;
  const found: (Item | undefined)[] = [];
  for (const batch of chunks(wanted, BATCH_GET_MAX))
    found.push(...(await (projection ? readBatch(batch, projection) : Promise.all(batch.map(getItem)))));
  return found.filter((item) => item !== undefined);
}

/** The item of a key as last written, even if it has expired. */
export async function getEvenExpired(Key: Key): Promise<Item | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  return Item;
}

async function readOne(Key: Key): Promise<Item | undefined> {
  const item = await getEvenExpired(Key);
  return unexpired(item && [item])[0];
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
    // An immediate retry would keep the partition throttled.
    await backOff(attempt);
  }
}

/** The given sort keys under which the partition has items. */
export async function existing(pk: string, sortKeys: string[]): Promise<Set<string>> {
  const items = await getItems(
    [...new Set(sortKeys)].map((sk) => ({ pk, sk })),
    'sk',
  );
  return new Set(items.map(({ sk }) => String(sk)));
}

/** About the 1 MB of a page. Some engines read everything that follows before they cut a page. */
const PAGE_ITEMS = 1000;

/** Every item of a partition (whose sort key begins with `prefix`), or named attributes, in order, as last written. */
export async function queryAll(pk: string, prefix = '', attributes?: string): Promise<Item[]> {
  const named = attributes && `${attributes}, expires_at_seconds`;
  return unexpired(await queryAllEvenExpired(pk, prefix, named));
}

/** The same with the items that have expired and are not deleted yet. */
export async function queryAllEvenExpired(pk: string, prefix = '', attributes?: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
        ProjectionExpression: attributes,
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
        ExclusiveStartKey,
      }),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/**
 * One page (1 MB or 1,000 items) of a partition from the sort key `from` on, as last written; `next` is the `after` of
 * the next page.
 */
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

/**
 * The items of a partition with sort keys from `from` to `to`, in order, as last written. Read page by page while they
 * are asked for.
 */
export async function* queryBetween(pk: string, from: string, to: string): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
        ExclusiveStartKey,
      }),
    );
    yield* unexpired(page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** The newest items of a partition whose sort keys grow with time (before the sort key `before`), newest first. */
export async function queryNewest(pk: string, limit: number, before?: string): Promise<Item[]> {
  const page = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: before === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: { ':pk': pk, ...(before !== undefined && { ':before': before }) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return unexpired(page.Items);
}

/** A condition of a transaction failed: the action, its index, and the existing item (if the action asks for it). */
export class ConditionFailed extends Error {
  readonly index: number;
  readonly write: Write | undefined;
  constructor(index: number, write?: Write) {
    super(`condition of action ${index} failed`);
    this.name = 'ConditionFailed';
    this.index = index;
    this.write = write;
  }
}

/** Whether a write takes effect; false if one of its conditions fails. */
export async function takesEffect(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** DynamoDB refuses a write as too large, an item or the whole transaction. A retry cannot help. */
export class WriteRefused extends Error {
  constructor(reason: string) {
    super(`the table refuses the write: ${reason}`);
    this.name = 'WriteRefused';
  }
}

/** Transient reasons for which a transaction is canceled. */
const PASSING = ['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/**
 * Writes all actions or none; a function creates them for every try. Retries conflicts and throttling with jitter.
 * Throws ConditionFailed for the first condition that fails, WriteRefused for what is too large, ServiceTrouble if a
 * try took longer than `withinMs` and its outcome is unknown, and otherwise what the SDK throws. The same writes with
 * the same `token` (up to 36 characters) take effect once within ten minutes.
 */
export async function transact(
  writes: Write[] | (() => Write[]),
  { withinMs, token }: { withinMs?: number; token?: string } = {},
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const limit = withinMs === undefined ? undefined : { abortSignal: AbortSignal.timeout(withinMs) };
    const TransactItems = typeof writes === 'function' ? writes() : writes;
    try {
      await table.send(
        new TransactWriteCommand({ TransactItems, ...(token && { ClientRequestToken: token }) }),
        limit,
      );
      return;
    } catch (error) {
      if (limit?.abortSignal.aborted) throw new ServiceTrouble('the table did not answer in time', error);
      if (isRefusal(error)) throw new WriteRefused(error.message);
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
      if (failed >= 0) throw new ConditionFailed(failed, TransactItems[failed]);
      const passing = reasons.every((reason) => PASSING.includes(reason.Code ?? 'None'));
      if (!passing || attempt === MAX_ATTEMPTS) throw error;
      await backOff(attempt);
    }
  }
}

/**
 * As `transact`, but an item that is put alone costs half. A condition may then fail because an earlier try of the
 * request took effect without a reply.
 */
export async function writeAll(writes: Write[]): Promise<void> {
  const [only] = writes;
  if (!only?.Put || writes.length > 1) return transact(writes);
  try {
    await table.send(new PutCommand(only.Put));
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) throw new ConditionFailed(0, only);
    if (isRefusal(error)) throw new WriteRefused(error.message);
    throw error;
  }
}

/**
 * Whether DynamoDB reports a request, or an action of a transaction, as invalid. It does so for sizes over its limits.
 */
export function isRefusal(error: unknown): error is Error {
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');
  return error instanceof Error && error.name === 'ValidationException';
}
