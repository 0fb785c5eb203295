// The text of a URL alone: which spellings are accepted, which are refused, and with which reason.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkUrl } from '#outbound/foreign-url.ts';
import { accepted, refused } from './url-spellings.ts';

function judge(raw: string): string {
  const verdict = checkUrl(raw);
  return verdict.ok ? 'accepted' : verdict.reason;
}

describe('a URL with a public host in any spelling is accepted', () => {
  test.each(accepted)('%j', (raw) => {
    expect(judge(raw)).toBe('accepted');
  });
});

describe.each(Object.entries(refused))('refused as %s', (reason, spellings) => {
  test.each(spellings)('%j', (raw) => {
    expect(judge(raw)).toBe(reason);
  });
});

test('no text makes the guard throw', () => {
  const urlLike = fc
    .array(
      fc.constantFrom(
        'https:',
        '//',
        '[',
        ']',
        '::',
        '@',
        '%',
        '.',
        '127',
        '0x',
        'a',
        '\\',
        ':',
        '/',
        ' ',
        '\u{1f600}',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), urlLike), (raw) => judge(raw).length > 0),
    {
      numRuns: 2_000,
    },
  );
});

test('a long run of scheme characters is judged in linear time', () => {
  expect(judge('a'.repeat(1_000_000))).toBe('invalid_url');
});
