// DynamoDB: the template's tables, in the embedded engine or in another one.
import { AwsError, jsonReply } from '../aws-endpoint/aws-protocol.ts';
import type { AwsService } from '../aws-service.ts';
import { isObject, type Json, type JsonObject, listAt, messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { arn, named } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';
import { asTheyCome, conflict, type KeysOf, oneAtATime } from './conflicts.ts';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { rightsOf } from './engine/rights.ts';
import type { TableService } from './engine/table-service.ts';
import { keepForgettingErased } from './erased-items.ts';
import { expiringTables, keepDeletingExpired } from './expired-items.ts';
import { keyNamesOf } from './key-names.ts';
import { connectDynamoDb } from './other-engine.ts';
import { partly } from './partly.ts';

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
    throttled: {
      code: 'ProvisionedThroughputExceededException',
      message: 'The level of configured provisioned throughput was exceeded.',
      status: 400,
    },
    conflict,
    partly,
  },
  async open({ stack, file, dynamodbEndpoint, lost }) {
    const engine =
      dynamodbEndpoint === undefined
        ? openEmbeddedEngine(file(FILE), lost)
        : connectDynamoDb(dynamodbEndpoint);
    const endings: (() => void)[] = [];
    try {
      await createTables(stack, engine);
    } catch (error) {
      await engine.stop();
      throw error;
    }
    // Another engine detects conflicts itself.
    const passed = 'file' in engine ? oneAtATime(keysIn(stack)) : asTheyCome;
    return {
      api: {
        answer: (request) =>
          passed(request, async () => jsonReply(await engine.perform(request.operation, request.input))),
        rightsOf,
      },
      ...('file' in engine ? { engineFile: engine.file } : { answers: engine.answers }),
      begin() {
        endings.push(keepDeletingExpired(engine, expiringTables(stack)));
        if ('file' in engine) endings.push(keepForgettingErased(engine));
      },
      halt() {
        for (const end of endings) end();
      },
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

function keysIn(stack: Stack): KeysOf {
  const tables = stack.ofType('AWS::DynamoDB::Table');
  const names = new Map(tables.map((table) => [table.attributes.ref, keyNamesOf(table)]));
  return (table) => names.get(table) ?? [];
}

function indexOf(index: Json): JsonObject {
  if (!isObject(index)) throw new SetupError('an index of a table is not an object');
  return { IndexName: index.IndexName, KeySchema: index.KeySchema, Projection: index.Projection };
}
