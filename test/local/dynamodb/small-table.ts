// A table of the embedded engine for tests, in memory unless a file is given, and what it answers.
import { AwsError } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import { type Engine, openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import type { JsonObject } from '../../../lib/local/json-values.ts';

const TableName = 'Notes';

const byTopic: JsonObject = {
  IndexName: 'ByTopic',
  KeySchema: [
    { AttributeName: 'topic', KeyType: 'HASH' },
    { AttributeName: 'number', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};

/** The table: by author and number, with an index by topic, where a note has one. */
export function makeTable(engine: Engine, indexes = [byTopic]): void {
  engine.perform('CreateTable', {
    TableName,
    KeySchema: [
      { AttributeName: 'author', KeyType: 'HASH' },
      { AttributeName: 'number', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'author', AttributeType: 'S' },
      { AttributeName: 'number', AttributeType: 'N' },
      { AttributeName: 'topic', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: indexes,
  });
}

/** An engine with the table in it. */
export function openNotes(): Engine {
  const engine = openEngine(':memory:');
  makeTable(engine);
  return engine;
}

/** Carries out an operation on the table. */
export function ask(engine: Engine, operation: string, input: JsonObject): JsonObject {
  return engine.perform(operation, operation === 'TransactWriteItems' ? input : { TableName, ...input });
}

/** Writes a note; more attributes may be given. */
export function put(engine: Engine, author: string, number: number | string, more: JsonObject = {}): void {
  ask(engine, 'PutItem', { Item: { ...keyOf(author, number), ...more } });
}

/** The note; undefined without one. */
export function noteOf(engine: Engine, author: string, number: number | string): unknown {
  return ask(engine, 'GetItem', { Key: keyOf(author, number) }).Item;
}

export const keyOf = (author: string, number: number | string): JsonObject => ({
  author: { S: author },
  number: { N: String(number) },
});

/** What is refused: its code, message and reasons. */
export function refusal(act: () => unknown): Pick<AwsError, 'code' | 'message' | 'details'> {
  try {
    act();
  } catch (error) {
    if (error instanceof AwsError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
