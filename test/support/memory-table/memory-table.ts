// A DynamoDB table in this process, without sockets, threads or time: the operations that the store uses, on plain values.
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from '#store/table.ts';
import { conditionOf, type Placeholders, projectionOf, updateOf, valueAt } from './expressions.ts';
import { InvalidRequest, storedItem } from './values.ts';

export interface MemoryTable {
  /** Carries out a command of the document client at once and whole. Throws what DynamoDB answers to a request that it refuses. */
  perform(command: string, input: object): object;
  /** Every item, for judges. */
  items(): Item[];
}

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** The name of a command tells the shape of its input; the parameters of a method are compared loosely enough for that. */
type Perform = { perform(input: object): object }['perform'];
type Single = (Placeholders & { ConditionExpression?: string | undefined }) | undefined;

const metadata = { $metadata: {} };
const TRANSACTION_MAX = 100;

/** A table that is empty. `index` names the attributes of the one index: its partition and its sort key. */
export function memoryTable(index: { pk: string; sk: string }): MemoryTable {
  const partitions = new Map<string, Map<string, Item>>();
  const indexed = new Set<Item>();

  const read = ({ pk, sk }: Item): Item | undefined => partitions.get(String(pk))?.get(String(sk));

  function write(key: Item, item: Item | undefined): void {
    const pk = String(key.pk);
    const before = read(key);
    if (before) indexed.delete(before);
    if (item) {
      const partition = partitions.get(pk) ?? new Map<string, Item>();
      partitions.set(pk, partition.set(String(key.sk), item));
      if (item[index.pk] !== undefined && item[index.sk] !== undefined) indexed.add(item);
    } else partitions.get(pk)?.delete(String(key.sk));
  }

  function holds(key: Item, single: Single): boolean {
    const text = single?.ConditionExpression;
    return text === undefined || conditionOf(text)(read(key) ?? {}, single ?? {});
  }

  function single(key: Item, input: Single, after: Item | undefined): void {
    if (!holds(key, input))
      throw new ConditionalCheckFailedException({ message: 'The conditional request failed', ...metadata });
    write(key, after);
  }

  function updated(input: UpdateCommandInput | NonNullable<Action['Update']>): Item {
    const { UpdateExpression = '', Key = {} } = input;
    const before = read(Key) ?? {};
    const { set, remove } = updateOf(UpdateExpression);
    const after = storedItem({ ...before, ...Key });
    for (const { path, value } of set.map((assign) => assign(before, input))) setAt(after, path, value);
    // From the last of a list to the first, so that each index means what it did before.
    for (const path of remove.map((pathOf) => pathOf(input)).sort(byLastIndex)) removeAt(after, path);
    return after;
  }

  function transact({ TransactItems = [] }: TransactWriteCommandInput): object {
    const acts = TransactItems.map((action) => actOf(action, updated));
    const names = acts.map(({ key }) => `${key.pk} ${key.sk}`);
    if (acts.length === 0 || acts.length > TRANSACTION_MAX || new Set(names).size < names.length)
      throw new InvalidRequest('a transaction takes 1 to 100 actions on different items');
    const afters: (Item | undefined)[] = [];
    const codes = acts.map((act, i) => {
      if (!holds(act.key, act.condition)) return 'ConditionalCheckFailed';
      try {
        afters[i] = act.after?.();
        return 'None';
      } catch (error) {
        if (error instanceof InvalidRequest) return 'ValidationError';
        throw error;
      }
    });
    if (codes.some((code) => code !== 'None')) throw canceled(codes);
    for (const [i, { key, changes }] of acts.entries()) if (changes) write(key, afters[i]);
    return {};
  }

  function query(input: QueryCommandInput): object {
    const { IndexName, KeyConditionExpression = '', FilterExpression, ExclusiveStartKey } = input;
    const start = ExclusiveStartKey ? storedItem(ExclusiveStartKey) : undefined;
    const sort = IndexName === undefined ? 'sk' : index.sk;
    const pk = input.ExpressionAttributeValues?.[':pk'];
    const from = IndexName === undefined ? (partitions.get(String(pk))?.values() ?? []) : indexed;
    const direction = input.ScanIndexForward === false ? -1 : 1;
    const matching = conditionOf(KeyConditionExpression);
    const found = [...from]
      .filter((item) => matching(item, input))
      .sort((a, b) => direction * compare(a, b, sort))
      .filter((item) => !start || direction * compare(item, start, sort) > 0);
    const page = found.slice(0, input.Limit);
    const last = page.at(-1);
    const kept = FilterExpression ? page.filter((item) => conditionOf(FilterExpression)(item, input)) : page;
    const more = last && (page.length < found.length || page.length === input.Limit);
    return {
      Items: kept.map((item) => (IndexName === undefined ? storedItem(item) : indexKeys(item))),
      ...(more && { LastEvaluatedKey: { pk: last.pk, sk: last.sk, [sort]: last[sort] } }),
    };
  }

  /** What the index holds of an item: its own keys and the table's. */
  const indexKeys = ({ pk, sk, ...item }: Item): Item => ({
    pk,
    sk,
    [index.pk]: item[index.pk],
    [index.sk]: item[index.sk],
  });

  function batchGet({ RequestItems = {} }: BatchGetCommandInput): object {
    const Responses = Object.entries(RequestItems).map(([name, { Keys = [], ProjectionExpression }]) => {
      return [
        name,
        Keys.flatMap((key) => {
          const item = read(key);
          return item ? [projected(item, ProjectionExpression)] : [];
        }),
      ];
    });
    return { Responses: Object.fromEntries(Responses), UnprocessedKeys: {} };
  }

  function update(input: UpdateCommandInput): object {
    // A condition that fails is told before an update that cannot be made.
    const after = holds(input.Key ?? {}, input) ? updated(input) : {};
    single(input.Key ?? {}, input, after);
    return input.ReturnValues ? { Attributes: storedItem(after) } : {};
  }

  function get({ Key = {} }: GetCommandInput): object {
    const item = read(Key);
    return item ? { Item: storedItem(item) } : {};
  }

  function put({ Item = {}, ...input }: PutCommandInput): object {
    const item = storedItem(Item);
    single(item, input, item);
    return {};
  }

  function remove({ Key = {}, ...input }: DeleteCommandInput): object {
    single(Key, input, undefined);
    return {};
  }

  const commands = new Map<string, Perform>([
    ['GetCommand', get],
    ['BatchGetCommand', batchGet],
    ['QueryCommand', query],
    ['PutCommand', put],
    ['UpdateCommand', update],
    ['DeleteCommand', remove],
    ['TransactWriteCommand', transact],
  ]);

  return {
    perform(command, input) {
      const perform = commands.get(command);
      if (!perform) throw new Error(`the store uses ${command}, which the table in memory lacks`);
      return { ...perform(input), ...metadata };
    },
    items: () => [...partitions.values()].flatMap((partition) => [...partition.values()]),
  };
}

/** What a transaction answers that was canceled for reasons. */
export function canceled(codes: string[]): TransactionCanceledException {
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    CancellationReasons: codes.map((Code) => ({ Code })),
    ...metadata,
  });
}

interface Act {
  key: Item;
  condition: Single;
  after?: () => Item | undefined;
  changes: boolean;
}

function actOf(
  { Put, Update, Delete, ConditionCheck }: Action,
  updated: (input: NonNullable<Action['Update']>) => Item,
): Act {
  if (Put) {
    const item = storedItem(Put.Item ?? {});
    return { key: item, condition: Put, after: () => item, changes: true };
  }
  if (Update)
    return { key: Update.Key ?? {}, condition: Update, after: () => updated(Update), changes: true };
  if (Delete) return { key: Delete.Key ?? {}, condition: Delete, changes: true };
  return { key: ConditionCheck?.Key ?? {}, condition: ConditionCheck, changes: false };
}

function compare(a: Item, b: Item, sort: string): number {
  const [left, right] = [a[sort], b[sort]];
  if (typeof left === 'number' && typeof right === 'number' && left !== right) return left - right;
  if (String(left) !== String(right)) return String(left) < String(right) ? -1 : 1;
  return `${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : Number(`${a.pk} ${a.sk}` !== `${b.pk} ${b.sk}`);
}

function projected(item: Item, expression: string | undefined): Item {
  if (expression === undefined) return storedItem(item);
  const names = projectionOf(expression).map((path) => String(path({})[0]));
  return storedItem(Object.fromEntries(names.map((name) => [name, item[name]])));
}

function holderOf(item: Item, path: (string | number)[]): object {
  const holder = valueAt(item, path.slice(0, -1));
  if (typeof holder !== 'object' || holder === null)
    throw new InvalidRequest('The document path provided in the update expression is invalid for update');
  return holder;
}

function setAt(item: Item, path: (string | number)[], value: unknown): void {
  if (value === undefined) throw new InvalidRequest('an operand refers to nothing');
  Reflect.set(holderOf(item, path), path.at(-1) ?? '', value);
}

function removeAt(item: Item, path: (string | number)[]): void {
  const holder = holderOf(item, path);
  if (Array.isArray(holder)) holder.splice(Number(path.at(-1)), 1);
  else Reflect.deleteProperty(holder, path.at(-1) ?? '');
}

const byLastIndex = (a: (string | number)[], b: (string | number)[]) =>
  Number(b.at(-1)) - Number(a.at(-1)) || 0;
