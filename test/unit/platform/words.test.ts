// Words and ranking by them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  contentWords,
  fold,
  plainText,
  rankByWords,
  stem,
  wordsOf,
} from '../../../functions/platform/words.ts';

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
  test('that carry no meaning are left out unless there are no others', () => {
    expect(contentWords('companies in the city')).toEqual(['company', 'city']);
    expect(contentWords('to be or not to be')).toHaveLength(6);
  });
  test('of a JSON value are those of its leaves', () => {
    expect(plainText({ a: ['x', 1], b: { c: true, d: null } })).toBe('x 1 true');
  });
});

describe('ranking', () => {
  const docs = [
    { id: 'a', text: 'Acme, a company in Berlin' },
    { id: 'b', text: 'Bolt, a company in Munich' },
    { id: 'c', text: 'a note on nothing' },
  ];
  test('returns only documents that hold one of the words, best first', () => {
    expect(rankByWords('companies in Berlin', docs).map(({ id }) => id)).toEqual(['a', 'b']);
  });
  test('of a query without words returns nothing', () => {
    expect(rankByWords('… !', docs)).toEqual([]);
  });
  test('keeps equals in the order given', () => {
    const same = ['x', 'y', 'z'].map((id) => ({ id, text: 'Berlin' }));
    expect(rankByWords('berlin', same).map(({ id }) => id)).toEqual(['x', 'y', 'z']);
  });
  test('finds exactly the documents that share a content word, with positive scores in falling order', () => {
    const words = fc.array(fc.constantFrom('berlin', 'acme', 'fintech', 'logistics', 'of', 'the'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(words, fc.array(words, { maxLength: 8 }), (query, texts) => {
        const given = texts.map((text, i) => ({ id: String(i), text: text.join(' ') }));
        const ranked = rankByWords(query.join(' '), given);
        const wanted = new Set(contentWords(query.join(' ')));
        const holders = given.filter(({ text }) => wordsOf(text).some((word) => wanted.has(word)));
        expect(ranked.map(({ id }) => id).sort()).toEqual(holders.map(({ id }) => id).sort());
        expect(ranked.every(({ score }, i) => score > 0 && score <= (ranked[i - 1]?.score ?? Infinity))).toBe(
          true,
        );
      }),
    );
  });
});
