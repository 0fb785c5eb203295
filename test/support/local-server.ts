// A server that is another program: started on a free loopback port, ready when it answers, ended with this process.
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface LocalServer {
  url: string;
  stop(): Promise<void>;
}

interface Program {
  name: string;
  command: string;
  args(port: number): string[];
  stdio: SpawnOptions['stdio'];
  isReady(url: string): Promise<boolean>;
  ready_ms: number;
  look_ms: number;
}

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

/** Starts the program. Throws when it ends or does not answer in time. */
export async function startServer(program: Program): Promise<LocalServer> {
  const port = await freePort();
  const child = spawn(program.command, program.args(port), { stdio: program.stdio });
  const exited = once(child, 'exit');
  const kill = () => void child.kill();
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + program.ready_ms;
  while (!(await program.isReady(url))) {
    if (child.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`${program.name} does not answer`);
    }
    await pause(program.look_ms);
  }
  return { url, stop };
}
