// Words of a text.
import { describe, expect, test } from 'vitest';
import { contentWords, fold, plainText, stem, wordsOf } from '#platform/words.ts';

describe('words', () => {
  test('are folded: case, diacritics and letters without decomposition', () => {
    expect(fold('Zürich Łódź Straße CAFÉ')).toBe('zurich lodz strasse cafe');
  });
  test('lose the English plural and the possessive', () => {
    expect(wordsOf("Acme's companies, boxes, classes, buses and Paris")).toEqual([
      'acme',
      'company',
      'box',
      'class',
      'buse',
      'and',
      'paris',
    ]);
    expect(stem('gas')).toBe('gas');
  });
  test('keep a decimal number whole and part Han text into characters', () => {
    expect(wordsOf('12.5 in 東京')).toEqual(['12.5', 'in', '東', '京']);
  });
  test('without meaning are left out unless there are no others', () => {
    expect(contentWords('companies in the city')).toEqual(['company', 'city']);
    expect(contentWords('to be or not to be')).toHaveLength(6);
  });
  test('of a JSON value are those of its leaves', () => {
    expect(plainText({ a: ['x', 1], b: { c: true, d: null } })).toBe('x 1 true');
  });
});
