// The embedded table engine for tests of what is written: one table, as the stack defines it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../lib/local/dynamodb/dynamodb-engine.ts';

/** Starts the engine and points the store at it; returns what ends it. Every address is loopback. */
export async function startTable(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'table-'));
  const engine = await startDynamoDb(folder);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: 'Table',
  });
  const string = 'S' as const;
  await new DynamoDBClient({}).send(
    new CreateTableCommand({
      TableName: 'Table',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: string },
        { AttributeName: 'sk', AttributeType: string },
        { AttributeName: 'due_pk', AttributeType: string },
        { AttributeName: 'due_at', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: [
            { AttributeName: 'due_pk', KeyType: 'HASH' },
            { AttributeName: 'due_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  return async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
