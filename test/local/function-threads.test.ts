// Which threads are retained: the number of idle ones bounds memory, and no work is ever cut off for it.
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createThreads, type FunctionThreads } from '../../lib/local/lambda/host/function-threads.ts';
import type { FunctionWorker } from '../../lib/local/lambda/host/worker.ts';

const KEPT = 3;
const SECOND = 1000;
/** The functions of the threads in operation, in the order of their start. */
let running: string[];
let threads: FunctionThreads;
/** Every thread that collected its garbage. */
let collected: string[];

function fakeThread(name: string, retired: () => void): FunctionWorker {
  let busy = 0;
  let idleSince = Date.now();
  running.push(name);
  return {
    ready: Promise.resolve(undefined),
    isReady: () => true,
    invoke(_payload, receiver) {
      busy += 1;
      setTimeout(() => {
        busy -= 1;
        idleSince = Date.now();
        receiver.result('');
      }, Number(_payload));
    },
    busy: () => busy,
    idleSince: () => idleSince,
    async collectGarbage() {
      collected.push(name);
    },
    async terminate() {
      running.splice(running.indexOf(name), 1);
      retired();
    },
  };
}

const nobody = { result() {}, fail() {}, head() {}, async chunk() {}, end() {} };
/** Invokes a function for this long. */
const invoke = (name: string, ms = 0) => threads.take(name).invoke(String(ms), nobody);

beforeEach(() => {
  vi.useFakeTimers();
  running = [];
  collected = [];
  threads = createThreads(fakeThread, KEPT);
});
afterEach(async () => {
  await threads.stop();
  vi.useRealTimers();
});

test('beyond the limit, the threads that have been idle longest end', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    invoke(name);
    await vi.advanceTimersByTimeAsync(10);
  }
  invoke('a');
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(running.toSorted()).toEqual(['a', 'd', 'e']);
});

test('a busy thread does not end, however many there are', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) invoke(name, 60 * SECOND);
  await vi.advanceTimersByTimeAsync(30 * SECOND);
  expect(running).toEqual(names);
  await vi.advanceTimersByTimeAsync(40 * SECOND);
  expect(running).toHaveLength(KEPT);
});

test('a function used every few seconds keeps its thread while others come and go', async () => {
  for (let i = 0; i < 20; i += 1) {
    invoke('often');
    invoke(`other ${i}`);
    await vi.advanceTimersByTimeAsync(3 * SECOND);
  }
  expect(running[0]).toBe('often');
  expect(running).toHaveLength(KEPT);
});

test('idle threads collect their garbage, and end after minutes without use', async () => {
  invoke('a');
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect([running, [...new Set(collected)]]).toEqual([['a'], ['a']]);
  await vi.advanceTimersByTimeAsync(6 * 60 * SECOND);
  expect(running).toEqual([]);
});

test('without a limit, where memory does not matter, no thread spends the processor on its garbage', async () => {
  const unlimited = createThreads(fakeThread, Number.POSITIVE_INFINITY);
  onTestFinished(unlimited.stop);
  unlimited.take('a').invoke('0', nobody);
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect([running, collected]).toEqual([['a'], []]);
});

test('a function whose thread has ended has a new one for its next call', async () => {
  for (const name of ['a', 'b', 'c', 'd']) invoke(name);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(running).not.toContain('a');
  invoke('a');
  expect(running).toContain('a');
});

test('a crowd leaves the third thread of its function to others', () => {
  const invokeCrowd = () => threads.take('a', true).invoke(String(SECOND), nobody);
  invokeCrowd();
  threads.startAnother('a');
  threads.startAnother('a');
  threads.startAnother('a');
  expect(running).toEqual(['a', 'a', 'a']);
  for (let i = 0; i < 9; i += 1) invokeCrowd();
  const alone = threads.take('a');
  expect(alone.busy()).toBe(0);
  expect(threads.busy('a')).toBe(10);
});
