// Starts the service under test and talks to it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CommandInput } from '../../../functions/admin/commands.ts';
import type { Hold } from './probe.ts';

export interface Service {
  base_url: string;
  site_url: string;
  pid: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely
  admin(command: CommandInput): Promise<any>;
  /** How long each thread was blocked since the last call. */
  holds(): Promise<Hold[]>;
  stop(): Promise<void>;
}

/** Starts it on an empty folder. */
export async function startService(dataDir: string, assembly: string): Promise<Service> {
  const child = fork(new URL('./service.ts', import.meta.url), [dataDir, assembly], { execArgv: [] });
  const [ready] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the service did not start'))),
  ]);
  const waiting = new Map<number, (answer: { ok: boolean; payload: string }) => void>();
  let calls = 0;
  child.on('message', (message: { call: number; answer: { ok: boolean; payload: string } }) => {
    waiting.get(message.call)?.(message.answer);
    waiting.delete(message.call);
  });
  async function ask(command: unknown) {
    calls += 1;
    const call = calls;
    const answer = await new Promise<{ ok: boolean; payload: string }>((resolve) => {
      waiting.set(call, resolve);
      child.send({ call, command });
    });
    const value = answer.ok ? JSON.parse(answer.payload) : { error: answer };
    if (value.error) throw new Error(JSON.stringify(value.error));
    return value;
  }
  return {
    ...ready,
    pid: child.pid ?? 0,
    admin: ask,
    holds: () => ask('holds'),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
