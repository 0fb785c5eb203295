// Preloaded into the service of a campaign: carries out what the campaign sends, such as the end of a function's thread.
import { subscribe } from 'node:diagnostics_channel';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { setClockAhead } from './thread-clock.ts';

/** What a campaign may ask for. `thread` is one function's, `threads` are all, with their handles of the table's file. */
export type Order =
  | { kill: 'thread' | 'threads' }
  | { clock_ahead_ms: number }
  // For partitioned-service.ts.
  | { lost_share: number };

const CLOCK = new URL('thread-clock.ts', import.meta.url).href;

/** A thread has a clock of its own, which must be the campaign's, too. */
class ThreadWithClock extends Worker {
  constructor(program: string | URL, options: WorkerOptions = {}) {
    super(program, { ...options, execArgv: [...(options.execArgv ?? []), '--import', CLOCK] });
  }
}
Object.assign(createRequire(import.meta.url)('node:worker_threads'), { Worker: ThreadWithClock });
syncBuiltinESMExports();

const threads = new Set<Worker>();

subscribe('worker_threads', (message) => {
  const thread = Object(message).worker;
  if (!(thread instanceof Worker)) return;
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

function carryOut(order: Order): void {
  if ('clock_ahead_ms' in order) {
    setClockAhead(order.clock_ahead_ms);
    return;
  }
  if (!('kill' in order)) return;
  const living = [...threads];
  const victims =
    order.kill === 'threads'
      ? living
      : living.filter((_, i) => i === Math.floor(Math.random() * living.length));
  for (const thread of victims) void thread.terminate();
}

process.on('message', carryOut);
// A service that has nothing else to do may end.
process.channel?.unref();
