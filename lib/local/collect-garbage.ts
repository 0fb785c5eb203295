// Returns the garbage of a thread to the system, which V8 does late, or never while the thread is idle.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects the garbage of this thread. Compiled functions are not flushed: they are needed again. */
export function collectGarbage(): void {
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
}
