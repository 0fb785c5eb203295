// The DynamoDB engine: launches the embedded one or connects to another, and forwards requests to it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import type { AwsReply } from '../aws-endpoint/aws-protocol.ts';
import { SetupError } from '../setup-error.ts';

/** The engine in use. */
export interface DynamoDb {
  url: string;
  /** Sends an operation's body unchanged; the engine sees the same access key for all callers. */
  forward(operation: string, body: Buffer | string): Promise<AwsReply>;
  stop(): Promise<void>;
}

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=00';
const START_TIMEOUT_MS = 5_000;
const FORWARDED_HEADERS = ['content-type', 'x-amzn-requestid', 'x-amz-crc32'];
// The engine is a detached child with a guard process: when the pipe on descriptor 3 closes, however this process
// ended, the guard ends the engine.
const GUARDED =
  '"$0" "$@" & engine=$!; (cat <&3 >/dev/null; kill $engine; sleep 1; kill -9 $engine) >/dev/null 2>&1 & wait $engine';

/** Connects to a running engine. */
export function connectDynamoDb(url: string): DynamoDb {
  const secure = url.startsWith('https:');
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const send = secure ? httpsRequest : httpRequest;
  function forward(operation: string, body: Buffer | string): Promise<AwsReply> {
    const { promise, resolve, reject } = Promise.withResolvers<AwsReply>();
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization: AUTHORIZATION,
      'content-length': Buffer.byteLength(body),
    };
    const request = send(url, { method: 'POST', headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const kept = Object.entries(response.headers).flatMap(([name, value]) =>
          FORWARDED_HEADERS.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
        );
        resolve({
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
  return { url, forward, stop: async () => agent.destroy() };
}

/** Starts the embedded engine on `folder/dynamodb.db`. Throws SetupError when there is none for this platform. */
export async function startDynamoDb(folder: string): Promise<DynamoDb> {
  const binary = findEngine();
  const pidFile = join(folder, 'dynamodb.pid');
  await endStaleEngine(pidFile, join(folder, 'dynamodb.db'));
  const port = await freePort();
  const child = spawn(
    '/bin/sh',
    ['-c', GUARDED, binary, '--port', String(port), '--db-path', join(folder, 'dynamodb.db')],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
      env: {},
    },
  );
  const { promise: exited, resolve: setExited } = Promise.withResolvers<void>();
  child.once('exit', () => setExited());
  if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid));
  const engine = connectDynamoDb(`http://127.0.0.1:${port}`);
  await answering(engine, exited);
  return {
    ...engine,
    async stop() {
      await engine.stop();
      child.stdio[3]?.destroy();
      await exited;
      rmSync(pidFile, { force: true });
    },
  };
}

function findEngine(): string {
  if (process.env.DYNOXIDE_BIN) return process.env.DYNOXIDE_BIN;
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch {
    const found = (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'dynoxide'))
      .find(existsSync);
    if (found) return found;
    throw new SetupError(
      `no DynamoDB engine for this platform: run "npm i --no-save ${name}@1.2.1", or pass --dynamodb-endpoint`,
    );
  }
}

/** The guard of a killed service ends its engine within moments; a new engine must not open the file before that. */
async function endStaleEngine(pidFile: string, dbFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const group = Number(readFileSync(pidFile, 'utf8'));
  const isOurs = () => engineRuns(group, dbFile);
  for (let waitedMs = 0; waitedMs < 1_000 && isOurs(); waitedMs += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (isOurs()) process.kill(-group, 'SIGKILL');
}

function engineRuns(pid: number, dbFile: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dbFile);
  } catch {
    return false;
  }
}

/** Finds a free loopback port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

async function answering(engine: DynamoDb, exited: Promise<void>): Promise<void> {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS && !ended; waitedMs += 10) {
    const reply = await engine.forward('ListTables', '{}').catch(() => undefined);
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new SetupError('the DynamoDB engine did not start: is its file readable, and the platform right?');
}
