// Which outcome of an attempt is delivered, retried or permanently failed.
import { expect, test } from 'vitest';
import { classifyAttempt } from '#domain/webhooks/classify.ts';

const duration_ms = 1;

test('every status has the class of the delivery rules', () => {
  const classes = { delivered: [] as number[], retry: [] as number[], failed: [] as number[] };
  for (let status = 200; status <= 999; status += 1) {
    classes[classifyAttempt({ kind: 'response', status, duration_ms })].push(status);
  }
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  expect(classes.delivered).toEqual(range(200, 299));
  expect(classes.retry).toEqual([408, 429, ...range(500, 599)]);
});

test.each(['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'timeout', 'CERT_HAS_EXPIRED', 'invalid_http'])(
  'a connection error is tried again: %s',
  (error) => {
    expect(classifyAttempt({ kind: 'failed', error, duration_ms })).toBe('retry');
  },
);

test.each(['private_address', 'not_https', 'invalid_url'] as const)(
  'a blocked address is final: %s',
  (reason) => {
    expect(classifyAttempt({ kind: 'blocked', reason, duration_ms })).toBe('failed');
  },
);
