// rules.md: local 14. Calls on index files take turns by file.
import { expect, test } from 'vitest';
import { createFairQueue } from '#record-index/fair-queue.ts';

const call = (name: string, n = 0) => ({ name, n });
const turnsOf = (...calls: { name: string; n: number }[]) => {
  const turns = createFairQueue<{ name: string; n: number }>(() => true);
  for (const one of calls) turns.add(one);
  return turns;
};

test('one name has one call under way, in the order of their arrival', () => {
  const turns = turnsOf(call('a', 1), call('a', 2));
  expect(turns.next()).toEqual(call('a', 1));
  expect(turns.isReady()).toBe(false);
  expect(turns.next()).toBeUndefined();
  turns.done(call('a', 1));
  expect(turns.next()).toEqual(call('a', 2));
});

test('a name that arrives later goes before the second call of the others', () => {
  const turns = turnsOf(call('a', 1), call('a', 2), call('a', 3));
  turns.next();
  turns.add(call('b', 1));
  turns.done(call('a', 1));
  const order = [1, 2, 3].map(() => {
    const next = turns.next();
    if (next) turns.done(next);
    return next;
  });
  expect(order).toEqual([call('a', 2), call('b', 1), call('a', 3)]);
});

test('a call that is removed is not started', () => {
  const [first, second] = [call('a', 1), call('a', 2)];
  const turns = turnsOf(first, second);
  turns.remove(first);
  expect(turns.next()).toBe(second);
  turns.remove(second);
  expect(turns.isReady()).toBe(false);
});

test('calls that may not start yet do not block others', () => {
  const blocked = new Set(['a']);
  const turns = createFairQueue<{ name: string }>(({ name }) => !blocked.has(name));
  turns.add({ name: 'a' });
  turns.add({ name: 'b' });
  expect(turns.next()).toEqual({ name: 'b' });
  expect(turns.next()).toBeUndefined();
  blocked.clear();
  expect(turns.next()).toEqual({ name: 'a' });
});
