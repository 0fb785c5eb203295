// A query as tokens: words, numbers and the signs that mean something, each with its position.
import pluralize from 'pluralize';
import { stemmer } from 'stemmer';
import { fold } from '#platform/words.ts';

export interface Token {
  kind: 'word' | 'number' | 'date' | 'sign' | 'wish';
  /** As written. */
  text: string;
  /** Folded, without a possessive ending. */
  word: string;
  start: number;
  end: number;
  /** The number of the quotation that it is part of. */
  quote: number | null;
}

/** Whether the token stands in quotation marks. */
export const isQuoted = (token: Token | undefined) => typeof token?.quote === 'number';

/** A short word in capitals, which may be a code. */
export const isCode = (text: string) => /^[A-Z]{2,4}$/.test(text);

const TOKEN = new RegExp(
  [
    String.raw`(?<date>\d{4}-\d{2}(?:-\d{2})?(?:T[\d:.]{1,20}Z?)?(?![\w-])|\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\w))`,
    String.raw`(?<number>(?:(?<![\p{L}\p{N}_)])(?<!\d\s)[-−–+](?=\d))?\d(?:[\d_]|,(?=\d)){0,30}(?:\.\d{1,30})?(?!\.?\d)(?=(?:[KMB]|Mn|Mio|Bn|[a-z]{1,4}²?)?(?![\p{L}\p{N}_])))`,
    String.raw`(?<word>~(?=\s?\d)|[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*(?:['’]\p{L}+)?²?)`,
    '(?<sign>>=|<=|!=|<>|==|[<>=≥≤≠%€$£¥+,;&/.?!\\n]|(?<=\\d)\\s?[-–]\\s?(?=\\d))',
  ].join('|'),
  'gu',
);
const QUOTED = /"([^"\n]{1,300})"|“([^”\n]{1,300})”|(?<!\w)'([^'\n]{1,300})'(?!\w)|`([^`\n]{1,300})`/g;

/** The tokens of a query, in order. */
export function tokensOf(query: string): Token[] {
  const quotes = [...query.matchAll(QUOTED)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  return [...query.matchAll(TOKEN)].map((match) => {
    const { date, number, word } = match.groups ?? {};
    const start = match.index;
    const at = quotes.findIndex(([from, to]) => from <= start && start < to);
    return {
      kind: date ? 'date' : number ? 'number' : word ? 'word' : 'sign',
      text: match[0],
      word: fold(match[0].trim())
        .replace(/['’]s$/, '')
        .replace(/['’]/g, ''),
      start,
      end: start + match[0].length,
      quote: at < 0 ? null : at,
    };
  });
}

const NOUNS_CACHED = 20_000;

function remembered(make: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    // A word of this length is none; the rules of plurals are regular expressions.
    if (word.length > 40) return word;
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= NOUNS_CACHED) known.clear();
    const made = make(word);
    known.set(word, made);
    return made;
  };
}

/** The singular of a folded word. */
export const nounOf = remembered((word) => pluralize.singular(word));

/** The stem of a folded word: `rated`, `rating` and `rate` share theirs. */
export const stemOf = remembered((word) => stemmer(nounOf(word)));

/** Whether the word is a singular that has another plural. */
export const isSingular = (word: string) => nounOf(word) === word && pluralize(word) !== word;

/** These tokens as written, in order; those that a hyphen joins are one word. */
export function wordsLeft(query: string, left: readonly Token[]): string[] {
  const words: string[] = [];
  let end = -1;
  for (const token of left) {
    const last = words.at(-1);
    if (last !== undefined && /^[-–'’]?$/.test(query.slice(end, token.start)))
      words[words.length - 1] = `${last}${query.slice(end, token.end)}`;
    else words.push(token.text);
    end = token.end;
  }
  return words;
}
