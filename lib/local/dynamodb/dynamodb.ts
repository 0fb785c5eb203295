// DynamoDB: the template's tables in a real engine, to which every operation is forwarded.
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import type { AwsService } from '../aws-service.ts';
import type { Right } from '../iam/policies.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt, parseObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { arn, named } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';
import { asTheyCome, conflict, type KeysOf, oneAtATime } from './conflicts.ts';
import { connectDynamoDb, type DynamoDb, startDynamoDb } from './dynamodb-engine.ts';
import { expiringTables, keepDeletingExpired } from './expired-items.ts';
import { keyNamesOf } from './key-names.ts';
import { partly } from './partly.ts';
import { privateNetwork } from './private-network.ts';

const OPEN_PORT =
  'This machine allows no private network, so every process and web page on it can reach the port of the database engine.';

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
    const network = dynamodbEndpoint === undefined ? privateNetwork() : undefined;
    const engine =
      dynamodbEndpoint === undefined
        ? await startDynamoDb(file('.'), { network, lost })
        : connectDynamoDb({ url: dynamodbEndpoint });
    let endDeleting: (() => void) | undefined;
    try {
      await createTables(stack, engine);
    } catch (error) {
      await engine.stop();
      throw error;
    }
    // Another engine has its own way with writes that meet.
    const passed = dynamodbEndpoint === undefined ? oneAtATime(keysIn(stack)) : asTheyCome;
    return {
      api: {
        answer: (request) => passed(request, () => engine.forward(request.operation, request.body)),
        rightsOf,
      },
      // Another endpoint may check signatures, so only the local one signs for it.
      ...(dynamodbEndpoint === undefined && { direct: engine }),
      ...(dynamodbEndpoint === undefined && network === undefined && { notice: OPEN_PORT }),
      answers: engine.answers,
      begin() {
        endDeleting = keepDeletingExpired(engine, expiringTables(stack));
      },
      halt: () => endDeleting?.(),
      stop: engine.stop,
    };
  },
};

/** Creates the template's tables that do not exist yet. Throws SetupError with the engine's words when one is refused. */
async function createTables(stack: Stack, engine: DynamoDb): Promise<void> {
  for (const { id, properties, attributes } of stack.ofType('AWS::DynamoDB::Table')) {
    const indexes = listAt(properties.GlobalSecondaryIndexes, id).map(indexOf);
    const input = {
      TableName: attributes.ref,
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
      BillingMode: 'PAY_PER_REQUEST',
      ...(indexes.length > 0 ? { GlobalSecondaryIndexes: indexes } : {}),
    };
    const reply = await engine.forward('CreateTable', JSON.stringify(input));
    const text = reply.body.toString();
    if (reply.status !== 200 && !text.includes('ResourceInUseException'))
      throw new SetupError(
        `${id}: the DynamoDB engine refused the table: ${parseObject(text, id).message ?? text}`,
      );
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

const ACTION_IN_TRANSACTION: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The parts of a transaction need their own rights; a batch and a query need them on each table or index. */
export function rightsOf({ operation, input }: AwsRequest): Right[] {
  const tableArn = (table: Json | undefined) => arn('dynamodb', `table/${String(table).split('/').at(-1)}`);
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    return listAt(input.TransactItems, 'TransactItems').flatMap((item) =>
      Object.entries(objectAt(item, 'TransactItems')).map(([kind, inner]) => ({
        action: `dynamodb:${ACTION_IN_TRANSACTION[kind] ?? 'GetItem'}`,
        resource: tableArn(isObject(inner) ? inner.TableName : undefined),
      })),
    );
  }
  const action = `dynamodb:${operation}`;
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    const tables = Object.keys(objectAt(input.RequestItems, 'RequestItems'));
    return tables.map((table) => ({ action, resource: tableArn(table) }));
  }
  const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`;
  return [{ action, resource: `${tableArn(input.TableName)}${index}` }];
}
