// Which of many texts occur in another one, and what it takes to know.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { occurring } from '#platform/occurring.ts';

const text = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'ä', '\u{1F600}'), { minLength: 1, maxLength })
    .map((all) => all.join(''));

test('the texts that occur, whatever they are', () => {
  fc.assert(
    fc.property(
      fc.oneof(text(60), fc.constant('')),
      fc.array(text(5), { maxLength: 30 }),
      (whole, sought) => {
        expect([...occurring(whole, sought)].toSorted()).toEqual(
          [...new Set(sought.filter((one) => whole.includes(one)))].toSorted(),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test('thousands of texts of one length take one pass', () => {
  const whole = 'a'.repeat(20_000);
  const sought = Array.from({ length: 2_000 }, (_, i) => `${'a'.repeat(190)}${String(i).padStart(4, '0')}`);
  const reads = vi.spyOn(String.prototype, 'charCodeAt');
  const found = occurring(whole, sought);
  const count = reads.mock.calls.length;
  reads.mockRestore();
  expect(found.size).toBe(0);
  // Two for each place of the text, one for each character that is sought.
  expect(count).toBeLessThanOrEqual(2 * whole.length + 2_000 * 194 + 194);
});
