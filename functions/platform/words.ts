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

/**
 * The form in which texts are compared: lower case, without accents and invisible characters, in compatibility forms.
 * The one rule by which questions, names, values and words are alike (rules.md: entities 5). Marks that are vowels or
 * tones of a script stay.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').replace(INVISIBLE, '').replace(ACCENTS, '').normalize('NFC');
  return plain.toLowerCase().replace(VARIANTS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** What has no look: zero width characters, soft hyphens, marks of direction, selectors of a glyph. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Marks over letters of several scripts, and points that readers of a script leave out; not those that voice kana. */
const ACCENTS =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]]--[\u3099\u309a]]+/gv;

/** Letters and apostrophes that decomposition does not change. */
const PLAIN_LETTERS: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ς: 'σ' },
  ...{ '‘': "'", '’': "'", ʼ: "'" },
};
const VARIANTS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

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

/**
 * A decimal number, a Han character, a symbol, or a run of letters, marks and digits, with the signs that end a name:
 * C++, C#.
 */
const WORD =
  /\d+(?:\.\d+)+|\p{Script=Han}|\p{So}|([[\p{L}\p{M}\p{N}]--\p{Script=Han}]+)((?<=[\p{L}\p{M}])[+#]+(?![\p{L}\p{N}]))?/gv;

/**
 * All words of a text in order, folded and stemmed; a possessive `'s` is dropped, a decimal number is one word. A word
 * that signs end comes without them, then with them.
 */
export function wordsOf(text: string): string[] {
  return wordsIn(text).flatMap(({ bare, whole }) => (bare === whole ? [whole] : [bare, whole]));
}

/** The words of a text, without and with the signs that end them. */
function wordsIn(text: string): { bare: string; whole: string }[] {
  const plain = fold(text).replace(/'s\b/g, '').replaceAll("'", '');
  return [...plain.matchAll(WORD)].map(([word, letters = word, signs = '']) => {
    const bare = stem(letters);
    return { bare, whole: signs === '' ? bare : letters + signs };
  });
}

/** Whether a folded word carries no meaning by itself. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * The words to search for: those of a text that carry meaning, all when it only has stop words. `C++` does not ask for
 * what only has a `c`.
 */
export function contentWords(text: string): string[] {
  const all = wordsIn(text).map(({ whole }) => whole);
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
