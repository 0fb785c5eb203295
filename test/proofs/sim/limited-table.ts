// The table in memory behind partitions that have limits: what DynamoDB and its client do with a call beyond them.
import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import type { Item, Key } from '#store/table/table.ts';
import type { AwsCall } from '../../support/faults.ts';
import { canceled } from '../../support/memory-table/memory-table.ts';
import type { Around } from '../../support/memory-table/use-memory-table.ts';
import { type KeyRanges, keyRanges, type Taken } from './key-ranges.ts';
import { CALL_MS } from './partition-limits.ts';
import { recordCollections } from './record-table.ts';

/** What a transaction of about 100 actions takes. */
const TRANSACTION_MS = 30;
/** The tries of the client, and its first delay after a refusal. It does not repeat canceled transactions. */
const CLIENT_TRIES = 5;
const CLIENT_DELAY_MS = 500;

export interface LimitedTable {
  around: Around;
  ranges: KeyRanges;
  /** Calls that a partition refused, in whole or in part. */
  refused: { transactions: number; reads: number; other: number };
}

type Perform = (input: object) => object;
/** The reply, or undefined when a partition refuses the whole call. */
type Attempt = object | undefined;

/** A table with limits, whose calls take the time of `sleep`. */
export function limitedTable(sleep: (ms: number) => Promise<void>): LimitedTable {
  const ranges = keyRanges();
  const collectionOf = recordCollections();
  const refused = { transactions: 0, reads: 0, other: 0 };

  /** Takes what a call needs; false if a partition refuses. */
  function takes(taken: Taken[]): boolean {
    if (ranges.refuses(taken).includes(true)) return false;
    ranges.take(taken);
    return true;
  }

  function transact(actions: object[], perform: Perform): object {
    const targets = actions.map((action) => targetOf(Object.values(action)[0]));
    const taken = targets.map(
      ({ pk, sk, item }): Taken => ({
        ...{ pk, sk, kind: 'writes' },
        units: 2 * (item ? (collectionOf(pk)?.writeUnits(item) ?? 1) : 1),
      }),
    );
    const full = ranges.refuses(taken);
    if (full.includes(true)) {
      refused.transactions += 1;
      throw canceled(full.map((isFull) => (isFull ? 'ThrottlingError' : 'None')));
    }
    ranges.take(taken);
    for (const { pk, item } of targets) if (item) collectionOf(pk)?.put(item);
    const TransactItems = actions.filter((_, i) => !collectionOf(targets[i]?.pk));
    return TransactItems.length > 0 ? perform({ TransactItems }) : {};
  }

  function batchGet(input: object, perform: Perform): Attempt {
    const [[name = '', asked] = []] = Object.entries(Object(input).RequestItems);
    const wanted: Key[] = Object(asked).Keys;
    const found: Item[] = [];
    const left: Key[] = [];
    for (const { pk, sk } of wanted) {
      const item = collectionOf(pk)?.get(sk);
      const units = item ? (collectionOf(pk)?.readUnits([item]) ?? 1) : 1;
      if (!takes([{ pk, sk, kind: 'reads', units }])) left.push({ pk, sk });
      else if (item) found.push(item);
    }
    if (left.length > 0) refused.reads += 1;
    if (left.length === wanted.length) return undefined;
    const others = wanted.filter((key) => !collectionOf(key.pk) && !left.includes(key));
    const rest =
      others.length > 0
        ? Object(perform({ RequestItems: { [name]: { ...Object(asked), Keys: others } } }))
        : {};
    return {
      Responses: { [name]: [...found, ...(rest.Responses?.[name] ?? [])] },
      ...(left.length > 0 && { UnprocessedKeys: { [name]: { ...Object(asked), Keys: left } } }),
    };
  }

  function query(input: object, perform: Perform): Attempt {
    const { ExpressionAttributeValues: values, ExclusiveStartKey: after, Limit } = Object(input);
    const pk = String(values[':pk'] ?? values[':partition']);
    const from = String(after?.sk ?? values[':from'] ?? '');
    const first: Taken = { pk, sk: from, kind: 'reads', units: 1 };
    if (ranges.refuses([first])[0]) {
      refused.reads += 1;
      return undefined;
    }
    const collection = collectionOf(pk);
    const page = collection?.page(from, after !== undefined, Limit);
    const units = collection && page ? collection.readUnits(page) : 1;
    ranges.take([{ ...first, units }]);
    if (!page) return perform(input);
    const sk = page.at(-1)?.sk;
    return { Items: page, ...(page.length === Limit && { LastEvaluatedKey: { pk, sk } }) };
  }

  function single({ command, input }: AwsCall, perform: Perform): Attempt {
    const { pk, sk } = targetOf(input);
    const isRead = command === 'GetCommand';
    const taken: Taken = { pk, sk, kind: isRead ? 'reads' : 'writes', units: 1 };
    if (!takes([taken])) {
      refused.other += 1;
      return undefined;
    }
    const collection = collectionOf(pk);
    return collection && isRead ? { Item: collection.get(sk) } : perform(input);
  }

  function attempt(call: AwsCall, perform: Perform): Attempt {
    const { command, input } = call;
    if (command === 'TransactWriteCommand') return transact(Object(input).TransactItems, perform);
    if (command === 'BatchGetCommand') return batchGet(input, perform);
    if (command === 'QueryCommand') return query(input, perform);
    return single(call, perform);
  }

  return {
    ranges,
    refused,
    async around(call, perform) {
      const ms = call.command === 'TransactWriteCommand' ? TRANSACTION_MS : CALL_MS;
      for (let tries = 1; ; tries += 1) {
        await sleep(ms);
        const reply = attempt(call, perform);
        if (reply) return reply;
        if (tries === CLIENT_TRIES)
          throw new ProvisionedThroughputExceededException({ message: 'Rate exceeded', $metadata: {} });
        await sleep(Math.random() * CLIENT_DELAY_MS * 2 ** (tries - 1));
      }
    },
  };
}

function targetOf(action: unknown): Key & { item: Item | undefined } {
  const { Item: item, Key: key } = Object(action);
  const { pk, sk } = Object(item ?? key);
  return { pk: String(pk), sk: String(sk), item };
}
