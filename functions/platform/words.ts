// Words of a text and ranking by them: the one lexical notion of likeness that sources, steps and the offline model share.

const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been before being both but by can could did do does doing done each either ' +
    'every few for from further had has have having he her here hers him his how i if in into is it its itself just let ' +
    'me more most my neither no nor not of off on once only or other our ours out over own please s same she should so some ' +
    'such than that the their theirs them themselves then there these they this those through to too under until up upon very ' +
    'was we were what when where which while who whom whose why will with within without would yes you your yours'
  ).split(' '),
);

/** The text in lower case without diacritics, compatibility forms unified: what two spellings are compared by. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().replace(/[ßæœøłđ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Letters that compatibility decomposition leaves alone. */
const PLAIN_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** The word without its English plural ending; the word must be folded. Words of three letters or fewer stay as they are. */
export function stem(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (/(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const WORD = /\d+(?:\.\d+)+|\p{Script=Han}|[[\p{L}\p{N}]--\p{Script=Han}]+/gv;

/** All words of a text in order, folded and stemmed; a possessive `'s` is dropped, a decimal number is one word. */
export function wordsOf(text: string): string[] {
  const plain = fold(text)
    .replace(/['’]s\b/g, '')
    .replace(/['’]/g, '');
  return (plain.match(WORD) ?? []).map(stem);
}

/** Whether a folded word says nothing by itself. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The words of a text that carry meaning; all its words when it has stop words only. */
export function contentWords(text: string): string[] {
  const all = wordsOf(text);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : all;
}

/** The leaves of a JSON value as one text, keys left out: what a record is searched by. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plainText).filter(Boolean).join(' ');
  if (typeof value === 'object') return plainText(Object.values(value));
  return String(value);
}

/** How far a word's repetition counts, and how much long texts are held back (the usual constants of BM25). */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * The documents that contain one of the query's words or more, best first (BM25; equals stay in the order given), scores above 0.
 * A query without any word matches nothing.
 */
export function rankByWords(
  query: string,
  docs: readonly { id: string; text: string }[],
): { id: string; score: number }[] {
  const terms = [...new Set(contentWords(query))];
  if (terms.length === 0) return [];
  const counted = docs.map(({ id, text }) => ({ id, ...countTerms(terms, wordsOf(text)) }));
  const meanLength = counted.reduce((sum, doc) => sum + doc.length, 0) / Math.max(1, counted.length) || 1;
  const rarity = terms.map((_, i) => {
    const holders = counted.filter((doc) => (doc.counts[i] ?? 0) > 0).length;
    return Math.log(1 + (counted.length - holders + 0.5) / (holders + 0.5));
  });
  return counted
    .map(({ id, counts, length }) => {
      const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / meanLength);
      const score = counts.reduce(
        (sum, n, i) => sum + ((rarity[i] ?? 0) * n * (SATURATION + 1)) / (n + norm),
        0,
      );
      return { id, score };
    })
    .filter((doc) => doc.score > 0)
    .sort((a, b) => b.score - a.score);
}

function countTerms(terms: string[], words: string[]): { counts: number[]; length: number } {
  const counts = terms.map(() => 0);
  const places = new Map(terms.map((term, i) => [term, i]));
  for (const word of words) {
    const place = places.get(word);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return { counts, length: words.length };
}
