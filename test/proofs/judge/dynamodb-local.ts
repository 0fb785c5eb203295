// AWS's own DynamoDB Local, a Java program: fetched by Maven once, started on loopback.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTableServiceAt } from '../../support/dynoxide.ts';
import { type LocalServer, startServer } from '../../support/local-server.ts';
import { fetchedLibraries } from './maven.ts';

export const VERSION = '3.0.0';

const LAUNCHER = fileURLToPath(new URL('./LoopbackDynamoDb.java', import.meta.url));

/**
 * Starts it with nothing in it, and an own set of tables for each access key. Throws when it does not answer within a
 * minute.
 */
export async function startDynamoDbLocal(): Promise<LocalServer> {
  const libraries = fetchedLibraries({
    group: 'software.amazon.dynamodb',
    artifact: 'DynamoDBLocal',
    version: VERSION,
  });
  return startServer({
    name: 'DynamoDB Local',
    command: 'java',
    args: (port) => [
      '-Xmx1g',
      `-Djava.library.path=${libraries}`,
      '-cp',
      join(libraries, '*'),
      LAUNCHER,
      ...['-inMemory', '-disableTelemetry', '-port', String(port)],
    ],
    stdio: ['ignore', 'ignore', 2],
    isReady: isTableServiceAt,
    ready_ms: 60_000,
    look_ms: 200,
  });
}
