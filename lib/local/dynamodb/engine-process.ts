// The process of the embedded engine: started, watched, started again when it dies, and ended.
import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import type { Address } from '../aws-service.ts';
import { plainJavaScript } from '../plain-javascript.ts';
import { SetupError } from '../setup-error.ts';
import { type Command, networkEnv } from './private-network.ts';

export interface EngineOptions {
  /** Where its file lies. */
  folder: string;
  /** What puts it into a network of its own; without it every process of this machine reaches its port. */
  network: Command | undefined;
  /** Called once, when it dies again and again. */
  lost(reason: string): void;
}

/** An engine that is kept alive until `stop`. */
export interface EngineProcess {
  address: Address;
  stop(): Promise<void>;
}

interface Life {
  exited: Promise<void>;
  /** Lets it end by itself. */
  end(): void;
}

const DATABASE = 'dynamodb.db';
const SOCKET = 'dynamodb.sock';
const PID = 'dynamodb.pid';
/** Linux takes 107 bytes of a socket's path, macOS 103. */
const SOCKET_PATH_BYTES = 103;
const START_TIMEOUT_MS = 10_000;
/** An engine that dies sooner after its start than this has failed; after so many failures in a row it is given up. */
const STEADY_MS = 1_000;
const FAILURES_MAX = 8;
const FAILURE_PAUSE_MS = 100;

const program = plainJavaScript(new URL('./engine-host.ts', import.meta.url));

/**
 * Starts the engine on `folder/dynamodb.db`; `answers` asks the one at an address. Throws SetupError when there is none for this
 * platform, or when it does not start.
 */
export async function startEngine(
  options: EngineOptions,
  answersAt: (address: Address) => () => Promise<boolean>,
): Promise<EngineProcess> {
  const { folder, lost } = options;
  await endStaleEngine(folder);
  const port = await freePort();
  const address = options.network ? socketAddress(folder) : { url: `http://127.0.0.1:${port}` };
  const answers = answersAt(address);
  let life = launch(options, findEngine(), port);
  let stopping = false;

  async function keep(): Promise<void> {
    for (let failures = 0; failures < FAILURES_MAX; ) {
      const startedAt = Date.now();
      await life.exited;
      if (stopping) return;
      failures = Date.now() - startedAt < STEADY_MS ? failures + 1 : 0;
      await pause(failures * FAILURE_PAUSE_MS);
      if (stopping) return;
      life = launch(options, findEngine(), port);
    }
    if (!stopping)
      lost(`the DynamoDB engine died ${FAILURES_MAX} times in a row: is ${join(folder, DATABASE)} sound?`);
  }

  const stop = async () => {
    stopping = true;
    life.end();
    await life.exited;
    for (const name of [SOCKET, PID]) rmSync(join(folder, name), { force: true });
  };
  if (!(await answersInTime(answers, life))) {
    await stop();
    const file = join(folder, DATABASE);
    throw new SetupError(`the DynamoDB engine did not start: is ${file} sound, and the platform right?`);
  }
  void keep();
  return { address, stop };
}

function launch({ folder, network }: EngineOptions, binary: string, port: number): Life {
  const [command, ...args] = [
    ...(network ?? []),
    ...[process.execPath, '--input-type=module', '--max-semi-space-size=1', '--eval', program],
    ...[binary, String(port), join(folder, DATABASE), ...(network ? [SOCKET] : [])],
  ];
  const child = spawn(command ?? '', args, {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: Ctrl-C in a terminal is for the service, which stops the engine last.
    detached: true,
    env: networkEnv(),
  });
  child.stdin.on('error', () => {});
  const { promise: exited, resolve } = Promise.withResolvers<void>();
  child.once('error', () => resolve());
  child.once('exit', () => {
    if (child.pid !== undefined) killGroup(child.pid);
    resolve();
  });
  if (child.pid !== undefined) writeFileSync(join(folder, PID), String(child.pid));
  return { exited, end: () => child.stdin.destroy() };
}

async function answersInTime(answers: () => Promise<boolean>, { exited }: Life): Promise<boolean> {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end && !ended; await pause(10))
    if (await answers()) return true;
  return false;
}

/** The socket in the folder, under a shorter path where its own is too long for one. */
function socketAddress(folder: string): Address {
  const path = join(folder, SOCKET);
  const fits = Buffer.byteLength(path) <= SOCKET_PATH_BYTES;
  return {
    url: 'http://dynamodb.engine',
    socket: fits ? path : join(`/proc/self/fd/${openSync(folder, 'r')}`, SOCKET),
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

/** The engine of a killed service ends within moments; a new one must not open the file before that. */
async function endStaleEngine(folder: string): Promise<void> {
  const pidFile = join(folder, PID);
  if (!existsSync(pidFile)) return;
  const group = Number(readFileSync(pidFile, 'utf8'));
  const isOurs = () => engineRuns(group, join(folder, DATABASE));
  for (let waitedMs = 0; waitedMs < 1_000 && isOurs(); waitedMs += 20) await pause(20);
  if (isOurs()) killGroup(group);
}

function engineRuns(pid: number, dbFile: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dbFile);
  } catch {
    return false;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
