// rules.md: models 8. As many calls at once as an endpoint takes.
import { expect, test } from 'vitest';
import { createSlots } from '../../../functions/models/ai-sdk/slots.ts';

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
