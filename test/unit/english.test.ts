// The English of comments and names: plain, idiomatic technical words, in lines of the code's width.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesBy } from '../support/files.ts';

const LINE_MAX = 120;

/** Words and phrases that have a plainer one: reserved, notify, recorded, again, the caller, in flight, next to, current. */
const phrases = [
  'anew',
  'as it is',
  'as it was',
  'at hand',
  'be it',
  'beside',
  'held',
  'in hand',
  'landed',
  'nobody',
  'noted',
  'of its own',
  'so long as',
  'so many of',
  'so seldom',
  'somebody',
  'tell of',
  'told',
  'whoever',
  'whosoever',
];
const inComments = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'i');

/** Parts of identifiers; a position is an index, not a place. */
const inIdentifiers = /^(?:anew|beside|held|kept|landed|noted|place|places|told|whoever)$/i;
/** Names on the wire, of metrics and of stored attributes, which cannot change. */
const wireNames = new Set([
  ...['credits_held', 'slice_handed_on', 'held', 'noted'],
  ...['kept', 'rows_kept', 'columns_kept', 'relationships_kept'],
]);

const isComment = (line: string) => /^\s*(?:\/\/|\{?\/\*|\*)/.test(line);
const wordsOf = (identifier: string) => identifier.split(/_|(?<=[a-z0-9])(?=[A-Z])/);

/** A line of code without its strings, regular expressions, texts of pages and trailing comment. */
const withoutTexts = (line: string) =>
  line
    .replaceAll(/'(?:[^'\\]|\\.)*'|"[^"]*"|\/(?:[^/\\\s]|\\.)+\//g, '')
    .replaceAll(/`[^`]*`/g, (text) => [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, code]) => code).join(' '))
    .replaceAll(/>[^<>{}]*</g, '')
    .replace(/\s\/\/ .*$/, '');

/** What is wrong with the English of a line of code. */
function accentsIn(line: string): string[] {
  if (isComment(line)) {
    const phrase = inComments.exec(line.replaceAll(/`[^`]*`/g, ''));
    return [...(phrase ? [phrase[0]] : []), ...(line.length > LINE_MAX ? [`${line.length} characters`] : [])];
  }
  return [...withoutTexts(line).matchAll(/[A-Za-z_]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !wireNames.has(name) && wordsOf(name).some((word) => inIdentifiers.test(word)));
}

test('comments and names have no words that only translations use, and comments fit in 120 characters', () => {
  const accents = filesBy('{bin,clients,functions,lib}/**/*.{ts,tsx}')
    .filter((file) => !file.endsWith('.d.ts'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) => accentsIn(line).map((accent) => `${file}:${i + 1}: ${accent}`)),
    );
  expect(accents).toEqual([]);
});

test.each([
  ['// The lock is held by nobody.', ['held']],
  ['/** An index is built anew. */', ['anew']],
  [`// ${'x'.repeat(LINE_MAX)}`, [`${LINE_MAX + 3} characters`]],
  ['const keptRows = places[0];', ['keptRows', 'places']],
  ['function firstPlace(toldAt: number) {}', ['firstPlace', 'toldAt']],
])('a planted accent is noticed: %s', (line, accents) => {
  expect(accentsIn(line)).toEqual(accents);
});

test.each([
  '// `credits_held` is the name on the wire.',
  'const { credits_held, placeholder } = usage;',
  "const text = 'nobody was told';",
  'const text = `nobody was told`;',
])('these are no accents: %s', (line) => {
  expect(accentsIn(line)).toEqual([]);
});
