// Writes that meet: DynamoDB refuses what comes while a transaction is at work on the same item. The embedded engine
// makes them wait instead.
import { AwsError } from '../aws-endpoint/aws-protocol.ts';
import { isObject, type JsonObject, listAt, objectAt } from '../json-values.ts';
import { canceled } from './engine/refusals.ts';

/** The names of a table's key attributes. */
export type KeysOf = (table: string) => readonly string[];

/** An operation and its input. */
interface Asked {
  operation: string;
  input: JsonObject;
}

const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const ONGOING = 'Transaction is ongoing for the item';

/** What DynamoDB answers a write that meets a transaction; of a transaction, each action of `met` is the reason. */
export function conflict(
  { operation, input }: Asked,
  met: (action: number) => boolean = () => true,
): AwsError {
  if (operation !== 'TransactWriteItems') return new AwsError('TransactionConflictException', ONGOING);
  const reasons = listAt(input.TransactItems, 'TransactItems').map((_, action) =>
    met(action) ? { Code: 'TransactionConflict', Message: ONGOING } : { Code: 'None' },
  );
  return canceled(reasons);
}

type Passing = <T>(asked: Asked, pass: () => Promise<T>) => Promise<T>;

/** Passes requests on whatever they meet. */
export const asTheyCome: Passing = (_asked, pass) => pass();

/**
 * Passes requests on, one transaction at a time for each item. The passing throws AwsError for what comes meanwhile.
 */
export function oneAtATime(keysOf: KeysOf): Passing {
  const atWork = new Set<string>();
  return async (asked, pass) => {
    if (SINGLE_WRITES.has(asked.operation) && atWork.has(itemOf(asked.input, keysOf))) throw conflict(asked);
    if (asked.operation !== 'TransactWriteItems') return pass();
    const items = listAt(asked.input.TransactItems, 'TransactItems').map((action) =>
      itemOf(Object.values(objectAt(action, 'TransactItems'))[0], keysOf),
    );
    const met = items.map((item) => atWork.has(item));
    if (met.includes(true)) throw conflict(asked, (action) => met[action] === true);
    for (const item of items) atWork.add(item);
    try {
      return await pass();
    } finally {
      for (const item of items) atWork.delete(item);
    }
  };
}

/** Names the item that a write is about: its table and key. */
function itemOf(write: unknown, keysOf: KeysOf): string {
  const { TableName, Key, Item } = isObject(write) ? write : {};
  const holder = objectAt(Key ?? Item, 'Key');
  return JSON.stringify([TableName, ...keysOf(String(TableName)).map((name) => holder[name])]);
}
