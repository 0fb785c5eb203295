// A thread that writes and reads until it is killed, and reports what was acknowledged.
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { read, write } from './crash-table.ts';

const { file, order, holder, writer, others } = workerData;
const lost = (reason: string) => parentPort?.postMessage(`lost ${reason}`);
const engine = openEngine(file, { order, holder, lost });

let n = Math.max(read(engine, writer, 'single'), read(engine, writer, 'first'));
for (;;) {
  n += 1;
  const kind = n % 2 === 0 ? 'pair' : 'single';
  write(engine, writer, kind, n);
  await engine.settled();
  parentPort?.postMessage(`${writer} ${kind} ${n}`);
  const other = others[n % others.length];
  const seen = read(engine, other, 'single');
  await engine.settled();
  // What a reader has seen is as good as acknowledged.
  parentPort?.postMessage(`${other} single ${seen}`);
  if (n % 8 === 0) await wait(1);
}
