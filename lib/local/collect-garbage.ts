// Returns the garbage of a thread to the system, which V8 does late, or never while the thread is idle.
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A collection takes 50 ms of a processor whatever it frees: most idle threads have used less since their last one. */
const WORTH_BYTES = 1024 * 1024;

let bytesLeft = 0;

/** Collects the garbage of this thread if it has used more memory since the last time. */
export function collectGarbage(): void {
  if (usedBytes() - bytesLeft < WORTH_BYTES) return;
  collectAtOnce();
  bytesLeft = usedBytes();
}

/** Collects the garbage of this thread. Compiled functions are not flushed: they are needed again. */
export function collectAtOnce(): void {
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
}

function usedBytes(): number {
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}
