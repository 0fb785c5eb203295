// Ranking by words.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankByWords } from '#platform/lexical-ranking.ts';
import { contentWords, wordsOf } from '#platform/words.ts';

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
  test('leaves equals in the given order', () => {
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
