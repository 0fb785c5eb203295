// The table that is written to while threads and processes die, and what must be true of it at any time.
import type { Engine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { type JsonObject, listAt, objectAt } from '../../../lib/local/json-values.ts';

const TableName = 'Crash';

/** Makes the table, unless it exists. */
export function makeTable(engine: Engine): void {
  try {
    engine.perform('CreateTable', {
      TableName,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('preexisting'))) throw error;
  }
}

/** What a writer writes: one item, or two that belong together. */
export type Kind = 'single' | 'pair';

const FILLING = 'x'.repeat(600);
const itemOf = (writer: string, sk: string, n: number): JsonObject => ({
  pk: { S: writer },
  sk: { S: sk },
  n: { N: String(n) },
  filling: { S: FILLING },
});

/** Writes a number under a writer's name; it is on disk once the engine has settled. */
export function write(engine: Engine, writer: string, kind: Kind, n: number): void {
  if (kind === 'single') engine.perform('PutItem', { TableName, Item: itemOf(writer, 'single', n) });
  else
    engine.perform('TransactWriteItems', {
      ClientRequestToken: `${writer} ${n}`.slice(-36),
      TransactItems: ['first', 'second'].map((sk) => ({ Put: { TableName, Item: itemOf(writer, sk, n) } })),
    });
}

/** The stored number; 0 if none. */
export function read(engine: Engine, writer: string, sk: string): number {
  const { Item } = engine.perform('GetItem', { TableName, Key: { pk: { S: writer }, sk: { S: sk } } });
  return Number(objectAt(objectAt(Item, 'Item').n, 'n').N ?? 0);
}

/** What was acknowledged, by writer and kind. */
export type Acknowledged = Map<string, number>;

/** Whatever was acknowledged and is not there, and pairs of which only a half is. */
export function breachesIn(engine: Engine, acknowledged: Acknowledged): string[] {
  const breaches: string[] = [];
  for (const [name, n] of acknowledged) {
    const [writer = '', kind] = name.split(' ');
    const found = read(engine, writer, kind === 'pair' ? 'first' : 'single');
    if (found < n) breaches.push(`${name}: ${n} was acknowledged, ${found} is there`);
  }
  const { Items } = engine.perform('Scan', { TableName, ProjectionExpression: 'pk, sk, n' });
  const numbers = new Map(
    listAt(Items, 'Items').map((value) => {
      const { pk, sk, n } = objectAt(value, 'item');
      return [`${objectAt(pk, 'pk').S} ${objectAt(sk, 'sk').S}`, objectAt(n, 'n').N];
    }),
  );
  for (const [name, n] of numbers) {
    const [writer, sk] = name.split(' ');
    if (sk === 'first' && numbers.get(`${writer} second`) !== n) breaches.push(`half a pair of ${writer}`);
  }
  return breaches;
}
