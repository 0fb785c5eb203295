// AWS's own DynamoDB Local, a Java program: fetched by Maven once, started on loopback.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectDynamoDb } from '../../../lib/local/dynamodb/other-engine.ts';
import { freePort } from '../../support/dynoxide.ts';

/** Pinned, so that a verdict is the service's. */
export const VERSION = '3.0.0';

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>judge</groupId>
  <artifactId>engine</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>software.amazon.dynamodb</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
const LAUNCHER = fileURLToPath(new URL('./LoopbackDynamoDb.java', import.meta.url));
const CACHE = fileURLToPath(
  new URL(`../../../node_modules/.cache/dynamodb-local-${VERSION}`, import.meta.url),
);
const READY_MS = 60_000;
const LOOK_MS = 200;

/** The folder of its libraries. */
function fetched(): string {
  const libraries = join(CACHE, 'libraries');
  if (existsSync(libraries)) return libraries;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'pom.xml'), project);
  try {
    execFileSync(
      'mvn',
      ['--quiet', '--batch-mode', 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
      { cwd: CACHE, stdio: ['ignore', 2, 2] },
    );
  } catch (error) {
    // Half a set of libraries must not be taken for all of them.
    rmSync(CACHE, { recursive: true, force: true });
    throw error;
  }
  return libraries;
}

/**
 * Starts it with nothing in it, and an own set of tables for each access key. Throws when it does not answer within a
 * minute.
 */
export async function startDynamoDbLocal(): Promise<{ url: string; stop(): Promise<void> }> {
  const libraries = fetched();
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
