// AWS's own DynamoDB Local, a Java program: fetched by Maven once, started on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectDynamoDb } from '../../../lib/local/dynamodb/other-engine.ts';
import { freePort } from '../../support/dynoxide.ts';
import { fetchedLibraries } from './maven.ts';

export const VERSION = '3.0.0';

const LAUNCHER = fileURLToPath(new URL('./LoopbackDynamoDb.java', import.meta.url));
const READY_MS = 60_000;
const LOOK_MS = 200;

/**
 * Starts it with nothing in it, and an own set of tables for each access key. Throws when it does not answer within a
 * minute.
 */
export async function startDynamoDbLocal(): Promise<{ url: string; stop(): Promise<void> }> {
  const libraries = fetchedLibraries({
    group: 'software.amazon.dynamodb',
    artifact: 'DynamoDBLocal',
    version: VERSION,
  });
  const port = await freePort();
  const java = spawn(
    'java',
    [
      '-Xmx1g',
      `-Djava.library.path=${libraries}`,
      '-cp',
      join(libraries, '*'),
      LAUNCHER,
      ...['-inMemory', '-disableTelemetry', '-port', String(port)],
    ],
    { stdio: ['ignore', 'ignore', 2] },
  );
  const exited = once(java, 'exit');
  const stop = async () => {
    java.kill();
    await exited;
  };
  process.once('exit', () => java.kill());
  const url = `http://127.0.0.1:${port}`;
  const { answers, stop: disconnect } = connectDynamoDb(url);
  const end = Date.now() + READY_MS;
  while (!(await answers())) {
    if (java.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error('DynamoDB Local does not answer');
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  await disconnect();
  return { url, stop };
}
