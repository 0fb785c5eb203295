// rules.md: console 9. Texts that Markdown parsers take minutes for: little work is done for them, and all of them come
// back as text.
import { type Token, Tokenizer } from 'marked';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { blockTokensOf, inlineTokensOf, staysText } from '../../clients/console/view-models/bounded-lexer.ts';

let calls = 0;
beforeEach(() => {
  calls = 0;
  for (const name of ['emStrong', 'blockquote', 'list', 'codespan'] as const) {
    const original = Tokenizer.prototype[name];
    vi.spyOn(Tokenizer.prototype, name).mockImplementation(function (this: Tokenizer, ...all: unknown[]) {
      calls += 1;
      return Reflect.apply(original, this, all);
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

const hostile = '*a_';

test('a cell of 60 KB is not read at all', () => {
  const cell = hostile.repeat(20_000);
  expect([staysText(cell), inlineTokensOf(cell), calls]).toEqual([true, undefined, 0]);
});

test.each([
  ['5,000 characters', 'a'.repeat(5_000), false],
  ['one more', 'a'.repeat(5_001), true],
  ['200 signs', '*'.repeat(200), false],
  ['one more', '*'.repeat(201), true],
])('%s: stays text is %s', (_, text, stays) => {
  expect(staysText(text)).toBe(stays);
  expect(inlineTokensOf(text) === undefined).toBe(stays);
});

test.each([
  ['> ', 'blockquote'],
  ['1. ', 'list'],
])('10,000 times "%s" is read twenty levels deep', (sign, type) => {
  const tokens = blockTokensOf(`${sign.repeat(10_000)}x`);
  expect(tokens?.map((token) => token.type)).toEqual([type]);
  expect(calls).toBeLessThan(2_000);
  expect(JSON.stringify(tokens)).toContain(sign.repeat(9_000));
});

test('paragraphs after too many signs stay text, the others do not', () => {
  const paragraph = `${hostile.repeat(99)}\n\n`;
  const tokens: Token[] = blockTokensOf(`**first**\n\n${paragraph.repeat(1_000)}**last**`) ?? [];
  const read = calls;
  expect(read).toBeLessThan(60_000);
  const [first] = tokens;
  expect(first).toMatchObject({ type: 'paragraph', tokens: [{ type: 'strong' }] });
  expect(tokens.at(-1)).toMatchObject({ tokens: [{ type: 'text', text: '**last**' }] });
});

test('a long paragraph stays text between others that are read', () => {
  const tokens = blockTokensOf(`*a*\n\n${'b '.repeat(3_000)}\n\n*c*`)?.filter(
    ({ type }) => type === 'paragraph',
  );
  expect(tokens).toMatchObject([
    { tokens: [{ type: 'em' }] },
    { tokens: [{ type: 'text', text: expect.stringMatching(/^b b /) }] },
    { tokens: [{ type: 'em' }] },
  ]);
});

test('blocks that are read again and again are text as a whole', () => {
  vi.restoreAllMocks();
  // Each block is read as a part of the one around it.
  vi.spyOn(Tokenizer.prototype, 'blockquote').mockImplementation(function (this: Tokenizer, text) {
    this.lexer.blockTokens(text);
    return undefined;
  });
  expect(blockTokensOf('> a\n\n'.repeat(1_000))).toBeUndefined();
});

test('whatever its parser throws, a text is text', () => {
  vi.spyOn(Tokenizer.prototype, 'paragraph').mockImplementation(() => {
    throw new RangeError('Maximum call stack size exceeded');
  });
  expect(blockTokensOf('a')).toBeUndefined();
});

test('an ordinary text is read as before', () => {
  const text = '# Title\n\nSome *text* with [A](entity=1).\n\n- a\n  - b\n\n| x |\n|---|\n| **y** |\n';
  const kinds = (tokens: readonly Token[] = []): string[] =>
    tokens.flatMap((token) => [token.type, ...kinds('tokens' in token ? token.tokens : [])]);
  expect(kinds(blockTokensOf(text))).toEqual(
    expect.arrayContaining(['heading', 'paragraph', 'em', 'link', 'list', 'table']),
  );
});
