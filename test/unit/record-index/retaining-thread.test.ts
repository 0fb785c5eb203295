// Threads start while others are busy. One of them retains vectors, and it outlasts the idle others.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexThread } from '#record-index/index-thread.ts';
import { onIndex } from '#record-index/record-index.ts';
import type { Reply } from '#record-index/thread.ts';

interface Started {
  /** The files of the calls that it carried out; with a mark if it was told to retain vectors. */
  calls: string[];
  isEnded: boolean;
  reply(more?: Partial<Reply>): Promise<unknown>;
}

const { started } = vi.hoisted(() => ({ started: [] as Started[] }));
vi.mock('#record-index/index-thread.ts', () => ({ startIndexThread: startThread }));

function startThread(): IndexThread {
  const waiting: ((reply: Reply) => void)[] = [];
  const self: Started = {
    calls: [],
    isEnded: false,
    reply(more = {}) {
      waiting.shift()?.({ call: 0, used: { ms: 0, pairs: 0 }, large: false, output: [], ...more });
      return vi.advanceTimersByTimeAsync(0);
    },
  };
  started.push(self);
  return {
    isBusy: () => waiting.length > 0,
    hasOpened: (file) => self.calls.some((call) => call.startsWith(file)),
    perform({ file, retains }) {
      self.calls.push(`${file}${retains ? ' retains' : ''}`);
      const { promise, resolve } = Promise.withResolvers<Reply>();
      waiting.push(resolve);
      return promise;
    },
    end() {
      self.isEnded = true;
    },
  };
}

const question = { types: null, vector: [1], limit: 1, min_score: 0 };
const nearest = (file: string) => void onIndex(file, 'nearest', question);
const callsOf = () => started.map(({ calls }) => calls);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('one thread retains vectors, gets those questions when it is free, and stays until it is too large', async () => {
  void onIndex('a', 'types');
  nearest('b');
  await vi.advanceTimersByTimeAsync(51);
  // The first thread is busy, so the question about vectors got another one, which retains them from now on.
  expect(callsOf()).toEqual([['a'], ['b retains']]);
  const [first, second] = started;
  await first?.reply();
  nearest('c');
  expect(callsOf()).toEqual([['a', 'c'], ['b retains']]);
  await first?.reply();
  await second?.reply();
  nearest('d');
  expect(callsOf()).toEqual([
    ['a', 'c'],
    ['b retains', 'd retains'],
  ]);
  await second?.reply();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, false]);

  nearest('e');
  await second?.reply({ large: true });
  nearest('f');
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
  expect(started[2]?.calls).toEqual(['f retains']);
});

test('a call that has waited goes to a thread whose reply has come, and no other starts', async () => {
  const busy = started.at(-1);
  const { length } = started;
  void onIndex('g', 'types');
  await vi.advanceTimersByTimeAsync(50);
  await busy?.reply();
  await vi.advanceTimersByTimeAsync(1);
  expect(busy?.calls.at(-1)).toBe('g retains');
  expect(started).toHaveLength(length);
});
