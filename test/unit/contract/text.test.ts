// Texts are as long as they have code points (rules.md: json 2).
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
