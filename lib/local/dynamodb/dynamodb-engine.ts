// The DynamoDB engine: launches the embedded one or connects to another, and forwards requests to it.
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { resolve } from 'node:path';
import type { AwsReply } from '../aws-endpoint/aws-protocol.ts';
import type { Address } from '../aws-service.ts';
import { type EngineOptions, startEngine } from './engine-process.ts';

/** The engine in use. */
export interface DynamoDb extends Address {
  /** Sends an operation's body unchanged; the engine sees the same access key for all callers. */
  forward(operation: string, body: Buffer | string): Promise<AwsReply>;
  /** Whether it answers now. */
  answers(): Promise<boolean>;
  stop(): Promise<void>;
}

const authorizationOf = (accessKeyId: string) =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=00`;
const ANSWER_TIMEOUT_MS = 1_000;
const FORWARDED_HEADERS = ['content-type', 'x-amzn-requestid', 'x-amz-crc32'];
/** Connects to a running engine; a user name in its address is the access key, by which some engines keep data apart. */
export function connectDynamoDb({ url, socket }: Address): DynamoDb {
  const { protocol, username } = new URL(url);
  const secure = protocol === 'https:';
  const authorization = authorizationOf(username || 'local');
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const send = secure ? httpsRequest : httpRequest;
  function forward(operation: string, body: Buffer | string): Promise<AwsReply> {
    const { promise, resolve: setReply, reject } = Promise.withResolvers<AwsReply>();
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization,
      'content-length': Buffer.byteLength(body),
    };
    const options = { method: 'POST', headers, agent, ...(socket !== undefined && { socketPath: socket }) };
    const request = send(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const kept = Object.entries(response.headers).flatMap(([name, value]) =>
          FORWARDED_HEADERS.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
        );
        setReply({
          status: response.statusCode ?? 500,
          headers: Object.fromEntries(kept),
          body: Buffer.concat(parts),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
    return promise;
  }
  async function answers(): Promise<boolean> {
    const late = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS).unref(),
    );
    const reply = await Promise.race([forward('ListTables', '{}').catch(() => undefined), late]);
    return reply?.status === 200;
  }
  return {
    url,
    ...(socket !== undefined && { socket }),
    forward,
    answers,
    stop: async () => agent.destroy(),
  };
}

/** Starts the embedded engine on `folder/dynamodb.db` and keeps it alive. Throws SetupError when there is none for this platform. */
export async function startDynamoDb(
  folder: string,
  { network, lost = () => {} }: Partial<Omit<EngineOptions, 'folder'>> = {},
): Promise<DynamoDb> {
  const engine = await startEngine(
    { folder: resolve(folder), network, lost },
    (address) => connectDynamoDb(address).answers,
  );
  const connected = connectDynamoDb(engine.address);
  return {
    ...connected,
    async stop() {
      await connected.stop();
      await engine.stop();
    },
  };
}
