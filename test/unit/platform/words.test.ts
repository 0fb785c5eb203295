// Words of a text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentWords, fold, plainText, stem, wordsOf } from '#platform/words.ts';

const INVISIBLE = ['\u00ad', '\u200b', '\u200d', '\u200e', '\u2060', '\u2067', '\ufe0f', '\ufeff'];
const character = fc.constantFrom(...'aÉßøłæđðþıœ한글中भाไทยשלוםعربيガ★+#5 é');

describe('a text is folded', () => {
  test('into what its characters look like, whatever invisible ones stand between', () => {
    const pieces = fc.array(fc.tuple(character, fc.constantFrom('', ...INVISIBLE)));
    fc.assert(
      fc.property(pieces, (all) => {
        const shown = all.map(([one]) => one).join('');
        const pasted = all.map(([one, hidden]) => one + hidden).join('');
        expect(fold(pasted)).toBe(fold(shown));
        expect(wordsOf(pasted)).toEqual(wordsOf(shown));
      }),
    );
  });
  test('once: folded again it does not change, and upper and lower case are one', () => {
    // Greek writes a mark below a vowel as a letter of its own in upper case.
    const hasIotaBelow = (text: string) => text.normalize('NFKD').includes('\u0345');
    const all = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code));
    expect(all.filter((one) => fold(fold(one)) !== fold(one))).toEqual([]);
    const cased = all.filter((one) => !hasIotaBelow(one) && !/[\u1c80-\u1c88]/.test(one));
    const forms = (one: string) => new Set([one, one.toUpperCase(), one.toLowerCase()].map(fold)).size;
    expect(cased.filter((one) => forms(one) > 1)).toEqual([]);
  });
  test('in composed and decomposed, wide and narrow forms alike', () => {
    fc.assert(
      fc.property(fc.array(character), (all) => {
        const text = all.join('');
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect(fold(text.normalize(form))).toBe(fold(text));
      }),
    );
    expect(fold('Ｃ＋＋\u00a0ｶﾞ')).toBe('c++ ガ');
  });
  test('without what decorates a letter, with what is one', () => {
    expect(fold('Großmann Øresund Łódź Œdipe Æther Đorđe Ðór Þór Diyarbakır')).toBe(
      'grossmann oresund lodz oedipe aether dorde dor thor diyarbakir',
    );
    expect(fold('भारत บริษัท ドイツ שָׁלוֹם')).toBe('भारत บริษัท ドイツ שלום');
  });
});

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
  test('of any script are whole, and signs that end one are part of it', () => {
    expect(wordsOf('भारत, บริษัท ไทย: C++ or ★5+ (A+B)')).toEqual([
      ...['भारत', 'บริษัท', 'ไทย', 'c', 'c++', 'or', '★', '5', 'a', 'b'],
    ]);
    expect(contentWords('C++, C# and Disney+')).toEqual(['c++', 'c#', 'disney+']);
    expect(contentWords('+ ! %')).toEqual([]);
  });
  test('without meaning are left out unless there are no others', () => {
    expect(contentWords('companies in the city')).toEqual(['company', 'city']);
    expect(contentWords('to be or not to be')).toHaveLength(6);
  });
  test('of a JSON value are those of its leaves', () => {
    expect(plainText({ a: ['x', 1], b: { c: true, d: null } })).toBe('x 1 true');
  });
});
