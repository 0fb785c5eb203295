// Texts are as long as they have code points (rules.md: json 2).
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { text } from '#contract/json.ts';

const character = fc.constantFrom('a', 'é', '😀', '𝒳');

test('a text passes when it has as many code points as allowed, however they are written', () => {
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const { length } = characters;
      expect(text(2, 5).safeParse(characters.join('')).success).toBe(length >= 2 && length <= 5);
    }),
  );
});

test('a long text that is clearly short enough, or clearly too long, is not counted', () => {
  const count = vi.spyOn(String.prototype, Symbol.iterator);
  onTestFinished(() => count.mockRestore());
  expect(text(1, 100_000).safeParse('x'.repeat(50_000)).success).toBe(true);
  expect(text(1, 10_000).safeParse('x'.repeat(50_000)).success).toBe(false);
  expect(count).not.toHaveBeenCalled();
});
