// New identifiers.
import { expect, test } from 'vitest';
import { newNonce, randomHex } from '#platform/ids.ts';
import { requestTrace } from '#platform/trace-ids.ts';

test('every place of random hex takes every digit', () => {
  const drawn = Array.from({ length: 600 }, () => randomHex(24));
  for (let place = 0; place < 24; place += 1)
    expect(new Set(drawn.map((hex) => hex[place])).size, `place ${place}`).toBe(16);
});

test('a nonce and a trace have their forms', () => {
  expect(newNonce()).toMatch(/^[0-9a-f]{8}$/);
  expect(requestTrace()).toMatch(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/);
});
