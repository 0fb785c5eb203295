// A process of writing threads, one of which is ended every few moments; it writes what was acknowledged to its output
// until it is killed.
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createSharedOrder, releaseTurn } from '../../../lib/local/dynamodb/engine/commit-order.ts';
import { openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { random } from '../../support/random.ts';
import { makeTable } from './crash-table.ts';

const [file = '', program = '', seed = '1', terminations = '3'] = process.argv.slice(2);
const WRITERS = ['a', 'b', 'c'];
const LONGEST_MS = 40;

// A write that the reader is too slow for waits; a line that a kill loses is one acknowledgement less to check.
const say = (line: string) => void process.stdout.write(`${line}\n`);
const chance = random(Number(seed));
const order = createSharedOrder();
const engine = openEngine(file, { order, holder: -1, lost: say });
makeTable(engine);

interface Writing {
  thread: Worker;
  /** Resolves when it was acknowledged something: it is not locked out. */
  working: Promise<void>;
}

let lastHolder = 0;
function begin(writer: string): Writing {
  lastHolder += 1;
  const holder = lastHolder;
  const others = WRITERS.filter((other) => other !== writer);
  const thread = new Worker(program, { workerData: { file, order, holder, writer, others } });
  const { promise: working, resolve } = Promise.withResolvers<void>();
  thread.on('message', (line) => {
    say(line);
    resolve();
  });
  thread.on('error', (error) => say(`error ${String(error)}`));
  thread.on('exit', () => releaseTurn(order, holder));
  return { thread, working };
}

const threads = new Map(WRITERS.map((writer) => [writer, begin(writer)]));
for (let ended = 0; ended < Number(terminations); ended += 1) {
  const writer = chance.pick(WRITERS);
  const writing = threads.get(writer);
  await writing?.working;
  await wait(chance.below(LONGEST_MS));
  await writing?.thread.terminate();
  say('terminated');
  threads.set(writer, begin(writer));
}
for (const { working } of threads.values()) await working;
say('go');
