// DynamoDB: the template's tables, in the embedded engine or in another one.
import { AwsError, jsonReply } from '../aws-endpoint/aws-protocol.ts';
import type { AwsService } from '../aws-service.ts';
import { isObject, type Json, type JsonObject, listAt, messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { arn, named } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { rightsOf } from './engine/rights.ts';
import type { TableService } from './engine/table-service.ts';
import { expiringTables, keepDeletingExpired } from './expired-items.ts';
import { connectDynamoDb } from './other-engine.ts';

const FILE = 'tables.db';

export const dynamodb: AwsService = {
  name: 'dynamodb',
  resources: {
    'AWS::DynamoDB::Table': (id, properties) => {
      const name = named('TableName', id, properties);
      return { ref: name, Arn: arn('dynamodb', `table/${name}`) };
    },
  },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_DYNAMODB',
    protocol: { format: 'json', version: '1.0' },
  },
  async open({ stack, file, dynamodbEndpoint, lost }) {
    const engine =
      dynamodbEndpoint === undefined
        ? openEmbeddedEngine(file(FILE), lost)
        : connectDynamoDb(dynamodbEndpoint);
    let endExpiry: (() => void) | undefined;
    try {
      await createTables(stack, engine);
    } catch (error) {
      await engine.stop();
      throw error;
    }
    return {
      api: {
        answer: async ({ operation, input }) => jsonReply(await engine.perform(operation, input)),
        rightsOf,
      },
      ...('file' in engine ? { engineFile: engine.file } : { answers: engine.answers }),
      begin() {
        endExpiry = keepDeletingExpired(engine, expiringTables(stack));
      },
      halt: () => endExpiry?.(),
      stop: engine.stop,
    };
  },
};

/**
 * Creates missing tables of the template. Throws SetupError with the engine's message when one is refused, as one is
 * that another version created differently.
 */
async function createTables(stack: Stack, engine: TableService): Promise<void> {
  for (const { id, properties, attributes } of stack.ofType('AWS::DynamoDB::Table')) {
    const indexes = listAt(properties.GlobalSecondaryIndexes, id).map(indexOf);
    const input = {
      TableName: attributes.ref,
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
      BillingMode: 'PAY_PER_REQUEST',
      ...(indexes.length > 0 ? { GlobalSecondaryIndexes: indexes } : {}),
    };
    try {
      await engine.perform('CreateTable', input).catch((error: unknown) => {
        if (!(error instanceof AwsError) || error.code !== 'ResourceInUseException') throw error;
      });
    } catch (error) {
      throw new SetupError(`${id}: the DynamoDB engine refused the table: ${messageOf(error)}`);
    }
  }
}

function indexOf(index: Json): JsonObject {
  if (!isObject(index)) throw new SetupError('an index of a table is not an object');
  return { IndexName: index.IndexName, KeySchema: index.KeySchema, Projection: index.Projection };
}
