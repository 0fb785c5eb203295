// The whole local service as a child process on one data folder, to be killed and started again.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { madeProgram } from '../../../bin/program/made-program.ts';
import { placeInOtherEngine } from '../../support/other-engine.ts';
import { type Ask, ask, type Watch } from '../ask.ts';
import type { Order } from './inside-service.ts';

export interface ServiceProcess {
  dataDir: string;
  /** Starts it on its data and waits until it serves; its port is another each time. */
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Has it do to itself what a fault would. */
  order(order: Order): void;
  /** A request with the demo workspace's key, unless it has a token. */
  ask: Ask;
  /** The same, which is not watched. */
  askUnwatched: Ask;
  /** The same for the body alone. Throws when the service is away or answers with an error. */
  call<T>(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<T>;
  /** A command of the admin CLI. */
  admin(...args: string[]): Promise<Record<string, unknown>>;
  workspaceId(): string;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

interface Access {
  base_url: string;
  workspace_id: string;
  api_key: string;
  pid: number;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MS = 300_000;
/** The end of a service's output. */
const SAID_CHARACTERS = 2_000;

const PRELOADED = './test/proofs/living/inside-service.ts';

export interface StartOptions {
  /** The flags of `npm start`. */
  flags?: string[];
  /** What it loads before its own program, besides what carries out orders. */
  preload?: string;
  /** Sees every request. */
  watch?: Watch;
}

/** A service that is not started yet, on its own folder. It runs from the sources, which a preload can change. */
export function serviceProcess({
  flags = [],
  preload,
  watch = (_asked, send) => send(),
}: StartOptions = {}): ServiceProcess {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-kill-'));
  const place = placeInOtherEngine();
  const engine = place === undefined ? [] : ['--dynamodb-endpoint', place];
  let child: ChildProcess | undefined;
  let access: Access = { base_url: '', workspace_id: '', api_key: '', pid: 0 };

  function written(): Access | undefined {
    try {
      return JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8'));
    } catch {
      return undefined;
    }
  }

  async function start(): Promise<void> {
    await madeProgram();
    const preloads = [PRELOADED, ...(preload === undefined ? [] : [preload])];
    const imports = preloads.flatMap((file) => ['--import', file]);
    const command = [
      ...imports,
      'bin/run-service.ts',
      'start',
      '--data-dir',
      dataDir,
      '--port',
      '0',
      ...engine,
      ...flags,
    ];
    const started = spawn(process.execPath, command, {
      cwd: root,
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child = started;
    let said = '';
    started.stderr?.on('data', (piece) => {
      said = `${said}${piece}`.slice(-SAID_CHARACTERS);
    });
    const end = Date.now() + READY_MS;
    while (Date.now() < end && started.exitCode === null) {
      const found = written();
      if (found && found.pid === started.pid) {
        access = found;
        return;
      }
      await wait(20);
    }
    throw new Error(`the service did not start on ${dataDir} (exit code ${started.exitCode}): ${said}`);
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  const askUnwatched: Ask = (asked) => ask(access, asked);
  const asks: Ask = (asked) => watch(asked, () => askUnwatched(asked));

  async function call<T>(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<T> {
    const answered = await asks({ method, path, body, idempotency_key: idempotencyKey });
    if (answered.status < 300) return answered.body;
    throw new Error(`${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
  }

  return {
    dataDir,
    start,
    kill,
    // A service that has just died hears nothing.
    order: (order) => void child?.send(order, () => undefined),
    ask: asks,
    askUnwatched,
    call,
    async admin(...args) {
      const command = ['bin/admin.ts', ...args, '--data-dir', dataDir];
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root });
      return JSON.parse(stdout);
    },
    workspaceId: () => access.workspace_id,
    async remove() {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
