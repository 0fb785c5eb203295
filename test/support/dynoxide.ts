// Dynoxide, another DynamoDB engine: one in-memory program on loopback.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { connectDynamoDb } from '../../lib/local/dynamodb/other-engine.ts';
import { type LocalServer, startServer } from './local-server.ts';

const PACKAGE = '@dynoxide/linux-x64/package.json';

/** Whether there is a binary for this machine. */
export const isDynoxideHere = process.platform === 'linux' && process.arch === 'x64';

/** Whether a DynamoDB engine answers at an address. */
export async function isTableServiceAt(url: string): Promise<boolean> {
  const { answers, stop } = connectDynamoDb(url);
  const ready = await answers();
  await stop();
  return ready;
}

/** Starts an empty engine. Throws when it does not answer in time. */
export const startDynoxide = (): Promise<LocalServer> =>
  startServer({
    name: 'dynoxide',
    command: join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), 'dynoxide'),
    args: (port) => ['--host', '127.0.0.1', '--port', String(port)],
    stdio: 'ignore',
    isReady: isTableServiceAt,
    ready_ms: 20_000,
    look_ms: 20,
  });
