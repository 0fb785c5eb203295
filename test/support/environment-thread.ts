// Loaded before a function in its thread: its clients use HTTP, and it stops and goes on as the host says.
import { getEnvironmentData } from 'node:worker_threads';

const RUNS = 0;
const FROZEN = 1;
const frozen = getEnvironmentData('frozen');

// What the host offers in place of HTTP.
Object.defineProperty(globalThis, 'awsInProcess', { get: () => undefined, set() {} });

async function obey(state: Int32Array): Promise<void> {
  for (;;) {
    await Atomics.waitAsync(state, 0, RUNS).value;
    Atomics.wait(state, 0, FROZEN);
  }
}

if (frozen instanceof Int32Array) void obey(frozen);
