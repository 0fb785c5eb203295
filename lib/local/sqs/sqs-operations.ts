// The SQS operations that functions use, over the local queues.

import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  optionalString,
} from '../json-values.ts';
import { md5, type Queue, type Queues, type ReceivedMessage } from './queues.ts';

const MESSAGE_LIMIT_BYTES = 1_048_576;
const MAX_DELAY_SECONDS = 900;
const MAX_HIDDEN_SECONDS = 43_200;

/** The operations by name; limits and refusals as AWS documents them. */
export function sqsOperations(queues: Queues): Record<string, Operation> {
  const queueOf = (input: JsonObject): Queue => {
    const queue = queues.find(optionalString(input.QueueUrl) ?? optionalString(input.QueueName) ?? '');
    if (queue) return queue;
    throw new AwsError('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');
  };

  function send(queue: Queue, input: JsonObject): JsonObject {
    const body = optionalString(input.MessageBody) ?? '';
    const delaySeconds = numberAt(input.DelaySeconds, queue.delaySeconds, 'DelaySeconds');
    if (body === '')
      throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
    if (Buffer.byteLength(body) > MESSAGE_LIMIT_BYTES)
      refuse('One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.');
    if (delaySeconds < 0 || delaySeconds > MAX_DELAY_SECONDS)
      refuse(`Value ${delaySeconds} for parameter DelaySeconds is invalid.`);
    const attributes = JSON.stringify(objectAt(input.MessageAttributes, 'MessageAttributes'));
    return { MessageId: queues.send(queue, body, attributes, delaySeconds), MD5OfMessageBody: md5(body) };
  }

  function hide(queue: Queue, input: JsonObject): JsonObject {
    const seconds = numberAt(input.VisibilityTimeout, 0, 'VisibilityTimeout');
    if (seconds < 0 || seconds > MAX_HIDDEN_SECONDS)
      refuse(`Value ${seconds} for parameter VisibilityTimeout is invalid.`);
    if (!queues.hide(queue, receipt(input), seconds)) throw badReceipt();
    return {};
  }

  function remove(queue: Queue, input: JsonObject): JsonObject {
    // Deleting what is gone is no fault on AWS either; a receipt that cannot be one is.
    if (!queues.remove(queue, receipt(input)) && receipt(input).length !== 36) throw badReceipt();
    return {};
  }

  async function receive(input: JsonObject): Promise<JsonObject> {
    const queue = queueOf(input);
    const max = numberAt(input.MaxNumberOfMessages, 1, 'MaxNumberOfMessages');
    if (max < 1 || max > 10) refuse(`Value ${max} for parameter MaxNumberOfMessages is invalid.`);
    const waitMs = numberAt(input.WaitTimeSeconds, 0, 'WaitTimeSeconds') * 1000;
    const visibility = numberAt(input.VisibilityTimeout, queue.visibilitySeconds, 'VisibilityTimeout');
    const messages = await queues.receive(queue, max, waitMs, visibility);
    return { Messages: messages.map(wireMessage) };
  }

  return {
    SendMessage: (input) => send(queueOf(input), input),
    SendMessageBatch: (input) => batch(input, (entry) => send(queueOf(input), entry)),
    ReceiveMessage: receive,
    DeleteMessage: (input) => remove(queueOf(input), input),
    DeleteMessageBatch: (input) => batch(input, (entry) => remove(queueOf(input), entry)),
    ChangeMessageVisibility: (input) => hide(queueOf(input), input),
    GetQueueUrl: (input) => ({ QueueUrl: queueOf(input).url }),
    GetQueueAttributes: (input) => {
      const { ready, delayed, inFlight } = queues.counts(queueOf(input));
      return {
        Attributes: {
          QueueArn: queueOf(input).arn,
          ApproximateNumberOfMessages: String(ready),
          ApproximateNumberOfMessagesDelayed: String(delayed),
          ApproximateNumberOfMessagesNotVisible: String(inFlight),
        },
      };
    },
  };
}

/** The shape of a received message on the wire. */
export function wireMessage(message: ReceivedMessage): JsonObject {
  const attributes: Json = JSON.parse(message.attributes);
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: md5(message.body),
    Attributes: systemAttributes(message),
    ...(isObject(attributes) && Object.keys(attributes).length > 0 ? { MessageAttributes: attributes } : {}),
  };
}

/** The attributes that SQS itself sets. */
export function systemAttributes(message: ReceivedMessage): Record<string, string> {
  return {
    ApproximateReceiveCount: String(message.receives),
    SentTimestamp: String(message.sent_at),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(message.first_received_at),
  };
}

function batch(input: JsonObject, each: (entry: JsonObject) => JsonObject): JsonObject {
  const successful: Json[] = [];
  const failed: Json[] = [];
  const entries = listAt(input.Entries, 'Entries');
  if (entries.length === 0)
    throw new AwsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > 10)
    throw new AwsError('TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10.');
  for (const value of entries) {
    const entry = objectAt(value, 'Entries');
    try {
      successful.push({ Id: entry.Id, ...each(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id: entry.Id, Code: error.code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful: successful, Failed: failed };
}

function receipt(input: JsonObject): string {
  return optionalString(input.ReceiptHandle) ?? '';
}

function badReceipt(): AwsError {
  return new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
}

function refuse(message: string): never {
  throw new AwsError('InvalidParameterValue', message);
}
