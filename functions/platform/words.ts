// Words of a text: folded, stemmed, with and without stop words. Shared by sources, steps and the offline model.

const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been before being both but by can could did do does doing done each either ' +
    'every few for from further had has have having he her here hers him his how i if in into is it its itself just let ' +
    'me more most my neither no nor not of off on once only or other our ours out over own please s same she should so some ' +
    'such than that the their theirs them themselves then there these they this those through to too under until up upon very ' +
    'was we were what when where which while who whom whose why will with within without would yes you your yours'
  ).split(' '),
);

/** The text in lower case without diacritics, with compatibility forms unified, so that spellings compare equal. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().replace(/[ßæœøłđ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Letters that compatibility decomposition does not change. */
const PLAIN_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/**
 * The word without its English plural ending; the word must be folded. Words of three letters or fewer do not change.
 */
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

/** Whether a folded word carries no meaning by itself. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The words of a text that carry meaning; all its words when it only has stop words. */
export function contentWords(text: string): string[] {
  const all = wordsOf(text);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : all;
}

/** The leaves of a JSON value as one text, without keys: the text by which a record is searched. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plainText).filter(Boolean).join(' ');
  if (typeof value === 'object') return plainText(Object.values(value));
  return String(value);
}
