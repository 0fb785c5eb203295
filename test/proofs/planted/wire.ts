// A fault of the list in a request as it is sent: its items are of DynamoDB's JSON, those of a fault are plain.
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { AwsReply } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import { isObject, parseObject } from '../../../lib/local/json-values.ts';
import type { Forward } from '../../support/observed/observed-services.ts';
import type { Plant } from './changes.ts';

const COMMANDS: Readonly<Record<string, string>> = {
  ...{ GetItem: 'GetCommand', BatchGetItem: 'BatchGetCommand', Query: 'QueryCommand' },
  ...{ PutItem: 'PutCommand', UpdateItem: 'UpdateCommand', DeleteItem: 'DeleteCommand' },
  TransactWriteItems: 'TransactWriteCommand',
};

type Change = (item: object) => object;

/** Changes the items and keys in a request or a reply. */
function eachItem(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((one) => eachItem(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, itemsAt(name, inner, change)]),
  );
}

function itemsAt(name: string, value: unknown, change: Change): unknown {
  if (/^(Item|Key|ExpressionAttributeValues)$/.test(name) && isObject(value)) return change(value);
  if (/^(Items|Keys)$/.test(name) && Array.isArray(value)) return value.filter(isObject).map(change);
  if (name !== 'Responses' || !isObject(value)) return eachItem(value, change);
  return Object.fromEntries(
    Object.entries(value).map(([table, items]) => [table, itemsAt('Items', items, change)]),
  );
}

/** In JSON bytes are text. */
function eachBytes(value: unknown, change: (bytes: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => eachBytes(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'B' ? change(inner) : eachBytes(inner, change),
    ]),
  );
}

const plain = (value: object) =>
  Object(
    eachItem(value, (item) =>
      unmarshall(Object(eachBytes(item, (text) => Buffer.from(String(text), 'base64')))),
    ),
  );
const sent = (value: object) =>
  Object(
    eachItem(value, (item) =>
      Object(
        eachBytes(marshall(item, { removeUndefinedValues: true }), (bytes) =>
          Buffer.from(Object(bytes)).toString('base64'),
        ),
      ),
    ),
  );

/** Carries out a request with the fault in it. */
export async function sendWithPlant(plant: Plant, request: AwsRequest, forward: Forward): Promise<AwsReply> {
  const command = COMMANDS[request.operation];
  if (!command) return forward(request);
  const call = { command, input: plain(request.input), caller: request.caller };
  const input = plant.ask ? plant.ask(call) : call.input;
  if (input === undefined) return { status: 200, headers: {}, body: '{}' };
  const reply = await forward(input === call.input ? request : { ...request, input: sent(input) });
  if (!plant.answer || reply.status !== 200) return reply;
  const output = plain(parseObject(String(reply.body), request.operation));
  return { ...reply, body: JSON.stringify(sent(plant.answer({ ...call, input }, output))) };
}
