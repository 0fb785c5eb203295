// Another DynamoDB over HTTP: for `--dynamodb-endpoint`, and as the reference for the embedded engine.
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsError } from '../aws-endpoint/aws-protocol.ts';
import { type JsonObject, optionalString, parseObject } from '../json-values.ts';
import type { TableService } from './engine/table-service.ts';

const authorizationOf = (accessKeyId: string) =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=00`;
const ANSWER_TIMEOUT_MS = 1_000;

/** Connects to a running engine. A user name in its URL is the access key, by which some engines separate data. */
export function connectDynamoDb(url: string): TableService & { answers(): Promise<boolean> } {
  const { protocol, username } = new URL(url);
  const secure = protocol === 'https:';
  const authorization = authorizationOf(username || 'local');
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const send = secure ? httpsRequest : httpRequest;

  function post(operation: string, body: string): Promise<{ status: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization,
      'content-length': Buffer.byteLength(body),
    };
    const request = send(url, { method: 'POST', headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 500, text: Buffer.concat(parts).toString() }),
      );
    });
    request.on('error', reject);
    request.end(body);
    return promise;
  }

  async function perform(operation: string, input: JsonObject): Promise<JsonObject> {
    const { status, text } = await post(operation, JSON.stringify(input));
    const output = parseObject(text === '' ? '{}' : text, operation);
    if (status === 200) return output;
    const { __type, message, Message, ...details } = output;
    const code = optionalString(__type)?.split('#').at(-1) ?? 'InternalServerError';
    throw new AwsError(code, optionalString(message ?? Message) ?? code, status, details);
  }

  async function answers(): Promise<boolean> {
    const late = pause(ANSWER_TIMEOUT_MS, undefined, { ref: false });
    const reply = await Promise.race([post('ListTables', '{}').catch(() => undefined), late]);
    return reply?.status === 200;
  }

  return { perform, answers, stop: async () => agent.destroy() };
}
