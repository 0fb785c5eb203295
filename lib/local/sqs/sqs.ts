// SQS: the template's queues, SendMessage for functions, and the event source mappings that read the queues.
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import type { AwsService } from '../aws-service.ts';
import type { Right } from '../iam/statements.ts';
import { numberAt, optionalString } from '../json-values.ts';
import { ACCOUNT, arn, inert, named } from '../template/attributes.ts';
import { poll, readMappings } from './event-source.ts';
import { md5, openQueues, type Queues } from './queues.ts';

const MESSAGE_LIMIT_BYTES = 1_048_576;
const MAX_DELAY_SECONDS = 900;
/** A message group id. */
const GROUP = /^[\x21-\x7e]{1,128}$/;

export const sqs: AwsService = {
  name: 'sqs',
  resources: {
    'AWS::Lambda::EventSourceMapping': inert,
    'AWS::SQS::Queue': (id, properties, { endpointUrl }) => {
      const name = named('QueueName', id, properties);
      const url = `${endpointUrl}/${ACCOUNT}/${name}`;
      return { ref: url, QueueUrl: url, QueueName: name, Arn: arn('sqs', name) };
    },
    'AWS::SQS::QueuePolicy': inert,
  },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_SQS',
    protocol: { format: 'json', version: '1.0' },
    denied: { code: 'AccessDenied', status: 400 },
  },
  open({ stack, file, lambda }) {
    const queues = openQueues(stack, file('queues.db'));
    const polling = new AbortController();
    return {
      api: { operations: { SendMessage: sendMessage(queues) }, rightsOf },
      begin() {
        for (const mapping of readMappings(stack, queues)) void poll(mapping, queues, lambda, polling.signal);
      },
      halt: () => polling.abort(),
      stop: queues.close,
      figures: queues.figures,
    };
  },
};

/** SendMessage with AWS's documented limits and errors. */
function sendMessage(queues: Queues): Operation {
  return (input) => {
    const queue = queues.find(optionalString(input.QueueUrl) ?? '');
    if (!queue)
      throw new AwsError('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');
    const body = optionalString(input.MessageBody) ?? '';
    const delaySeconds = numberAt(input.DelaySeconds, 0, 'DelaySeconds');
    if (body === '')
      throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
    if (Buffer.byteLength(body) > MESSAGE_LIMIT_BYTES)
      throw invalid(
        'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
      );
    if (delaySeconds < 0 || delaySeconds > MAX_DELAY_SECONDS)
      throw invalid(`Value ${delaySeconds} for parameter DelaySeconds is invalid.`);
    const group = optionalString(input.MessageGroupId);
    if (group !== undefined && !GROUP.test(group))
      throw invalid(
        'MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.',
      );
    const id = queues.send(queue, body, delaySeconds, group);
    return { MessageId: id, MD5OfMessageBody: md5(body) };
  };
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterValue', message);
}

export function rightsOf({ operation, input }: AwsRequest): Right[] {
  const name = optionalString(input.QueueUrl)?.split('/').at(-1) ?? '';
  return [{ action: `sqs:${operation}`, resource: arn('sqs', name) }];
}
