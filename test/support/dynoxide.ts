// Dynoxide, another DynamoDB engine: one in-memory program on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { connectDynamoDb } from '../../lib/local/dynamodb/other-engine.ts';

const PACKAGE = '@dynoxide/linux-x64/package.json';
const READY_MS = 20_000;
const LOOK_MS = 20;

/** Whether there is a binary for this machine. */
export const isDynoxideHere = process.platform === 'linux' && process.arch === 'x64';

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Starts an empty engine. Throws when it does not answer in time. */
export async function startDynoxide(): Promise<{ url: string; stop(): Promise<void> }> {
  const program = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), 'dynoxide');
  const port = await freePort();
  const engine = spawn(program, ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const exited = once(engine, 'exit');
  const kill = () => void engine.kill();
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const { answers, stop: disconnect } = connectDynamoDb(url);
  const end = Date.now() + READY_MS;
  while (!(await answers())) {
    if (engine.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error('dynoxide does not answer');
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  await disconnect();
  return { url, stop };
}
