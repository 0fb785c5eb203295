// Write conflicts: DynamoDB rejects writes to an item while a transaction on it is in progress. The embedded engine
// would serialize them instead.
import { AwsError } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import { canceled } from '../../../lib/local/dynamodb/engine/refusals.ts';
import { isObject, listAt, objectAt } from '../../../lib/local/json-values.ts';

/** Names of a table's key attributes. */
type KeysOf = (table: string) => readonly string[];

const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const ONGOING = 'Transaction is ongoing for the item';

/** DynamoDB's error for a conflict with a transaction. In a transaction, `met` says whether an action conflicts. */
export function conflict(
  { operation, input }: Write,
  met: (action: number) => boolean = () => true,
): AwsError {
  if (operation !== 'TransactWriteItems') return new AwsError('TransactionConflictException', ONGOING);
  const reasons = listAt(input.TransactItems, 'TransactItems').map((_, action) =>
    met(action) ? { Code: 'TransactionConflict', Message: ONGOING } : { Code: 'None' },
  );
  return canceled(reasons);
}

type Write = Pick<AwsRequest, 'operation' | 'input'>;

type Passing = <W extends Write, R>(asked: W, forward: (asked: W) => Promise<R>) => Promise<R>;

/** Forwards requests, one transaction at a time per item. Throws AwsError for a conflict. */
export function oneAtATime(keysOf: KeysOf): Passing {
  const atWork = new Set<string>();
  return async (asked, forward) => {
    if (SINGLE_WRITES.has(asked.operation) && atWork.has(itemOf(asked.input, keysOf))) throw conflict(asked);
    if (asked.operation !== 'TransactWriteItems') return forward(asked);
    const items = listAt(asked.input.TransactItems, 'TransactItems').map((action) =>
      itemOf(Object.values(objectAt(action, 'TransactItems'))[0], keysOf),
    );
    const met = items.map((item) => atWork.has(item));
    if (met.includes(true)) throw conflict(asked, (action) => met[action] === true);
    for (const item of items) atWork.add(item);
    try {
      return await forward(asked);
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
