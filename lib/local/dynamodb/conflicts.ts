// Write conflicts: DynamoDB rejects writes to an item while a transaction on it is in progress. The embedded engine
// would serialize them instead.
import { AwsError } from '../aws-endpoint/aws-protocol.ts';
import { isObject, type JsonObject, listAt, objectAt } from '../json-values.ts';
import { canceled } from './engine/refusals.ts';

/** Names of a table's key attributes. */
export type KeysOf = (table: string) => readonly string[];

/** An operation and its input. */
interface Asked {
  operation: string;
  input: JsonObject;
}

const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const ONGOING = 'Transaction is ongoing for the item';

/** DynamoDB's error for a conflict with a transaction. In a transaction, `met` says whether an action conflicts. */
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

/** Passes requests on without looking for conflicts. */
export const asTheyCome: Passing = (_asked, pass) => pass();

/** Passes requests on, one transaction at a time per item. Throws AwsError for a conflict. */
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

/** Identifies the item of a write by table and key. */
function itemOf(write: unknown, keysOf: KeysOf): string {
  const { TableName, Key, Item } = isObject(write) ? write : {};
  const holder = objectAt(Key ?? Item, 'Key');
  return JSON.stringify([TableName, ...keysOf(String(TableName)).map((name) => holder[name])]);
}
