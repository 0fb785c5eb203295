// rules.md: models 8. As many calls at once as an endpoint takes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModelError } from '#models/model.ts';
import { type Allowance, createSlots, lowered, raised } from '../../../functions/models/ai-sdk/slots.ts';

/** Work that ends when it is told to. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = false;
  const work = async () => {
    begun = true;
    await promise;
  };
  return { work, end: resolve, begun: () => begun };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('work waits for a slot, in order, and gives it back however it ends', async () => {
  const inSlot = createSlots(1);
  const [first, second] = [piece(), piece()];
  const failing = inSlot(async () => {
    await first.work();
    throw new Error('no');
  }, undefined);
  const waiting = inSlot(second.work, undefined);
  await settled();
  expect([first.begun(), second.begun()]).toEqual([true, false]);
  first.end();
  await expect(failing).rejects.toThrow('no');
  await settled();
  expect(second.begun()).toBe(true);
  second.end();
  await waiting;
});

test('who gives up while waiting takes no slot', async () => {
  const inSlot = createSlots(1);
  const [first, never, last] = [piece(), piece(), piece()];
  const running = inSlot(first.work, undefined);
  const caller = new AbortController();
  const waiting = inSlot(never.work, caller.signal);
  caller.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  first.end();
  await running;
  last.end();
  await inSlot(last.work, undefined);
  expect(never.begun()).toBe(false);
});

test('a 429 halves how many go at once, answers bring them back one by one, between one and the most', () => {
  const happenings = fc.array(fc.oneof(fc.constant('answer' as const), fc.nat({ max: 20 })));
  const property = (most: number, happened: ('answer' | number)[]) => {
    let state: Allowance = { most, allowed: most, lowered_at: 0, answers: 0 };
    let begun = 0;
    for (const one of happened) {
      begun += 1;
      const before = state;
      // A request that began some requests ago.
      const request = one === 'answer' ? begun : Math.max(1, begun - one);
      state = one === 'answer' ? raised(state) : lowered(state, request, begun);
      expect(state.allowed).toBeGreaterThanOrEqual(1);
      expect(state.allowed).toBeLessThanOrEqual(most);
      expect(state.allowed - before.allowed).toBeLessThanOrEqual(1);
      if (one !== 'answer' && request > before.lowered_at)
        expect(state.allowed).toBe(Math.max(1, Math.floor(before.allowed / 2)));
      if (one !== 'answer' && request <= before.lowered_at) expect(state).toBe(before);
    }
  };
  fc.assert(fc.property(fc.integer({ min: 1, max: 64 }), happenings, property));
});

test('an endpoint that takes two at once soon gets no more, and everything is answered', async () => {
  const inSlot = createSlots(8);
  const counts = { running: 0, throttled: 0, answered: 0 };
  const request = async () => {
    if (counts.running === 2) {
      counts.throttled += 1;
      throw new ModelError('busy', { cause: 'away', provider: { status_code: 429, message: 'busy' } });
    }
    counts.running += 1;
    await settled();
    counts.running -= 1;
    counts.answered += 1;
  };
  // As callers do, it tries again after a while.
  const until = async (): Promise<void> =>
    inSlot(request, undefined).catch(async () => {
      await settled();
      await until();
    });
  await Promise.all(Array.from({ length: 240 }, until));
  expect(counts.answered).toBe(240);
  // At the beginning, and then each time that a third one is tried.
  expect(counts.throttled).toBeLessThan(40);
});

test('other failures leave them as they are', async () => {
  const inSlot = createSlots(2);
  const failing = async () => {
    throw new ModelError('down', { cause: 'away', provider: { status_code: 503, message: 'down' } });
  };
  await expect(inSlot(failing, undefined)).rejects.toThrow('down');
  const [first, second] = [piece(), piece()];
  const both = [first, second].map(({ work }) => inSlot(work, undefined));
  await settled();
  expect([first.begun(), second.begun()]).toEqual([true, true]);
  first.end();
  second.end();
  await Promise.all(both);
});
