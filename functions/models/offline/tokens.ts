// An instruction as tokens: words with positions, comparisons, and the marks and words that separate clauses.
import { fold, isStopWord, stem } from '#platform/words.ts';
import { type Comparison, comparisonsIn } from './numbers.ts';

export type Token =
  | { kind: 'word'; word: string; proper: boolean; stop: boolean }
  | { kind: 'number'; word: string }
  | { kind: 'comparison'; comparison: Comparison }
  | { kind: 'or' }
  | { kind: 'not' }
  /** `word` is the separating mark or word. */
  | { kind: 'break'; word: string }
  | { kind: 'end' };

const BREAKERS = new Set('and but with who whose which that where plus also then'.split(' '));
const NEGATORS = new Set(
  (
    'not no without never except excluding exclude isnt arent wasnt werent dont doesnt didnt hasnt havent lacking lack missing ' +
    'unless apart rather instead neither cannot cant'
  ).split(' '),
);
const ALTERNATIVES = new Set(['or', 'nor']);

const COUNTED = /\b(?:top|first|best|last|limit(?:ed)?(?: it)?(?: to)?|only)\s+\d+\b/gi;
const SIGN =
  /\d+(?:[.,]\d+)*|\p{Script=Han}|[[\p{L}\p{M}\p{N}'’]--\p{Script=Han}]+|[.!?](?=\s|$)|[,;:\(\)\n\/]/gv;

/** The tokens of an instruction without "top 5" and the like: a limit is a param, not a condition. */
export function tokensOf(instruction: string): Token[] {
  const text = instruction.replace(COUNTED, ' ');
  const tokens: Token[] = [];
  let done = 0;
  for (const comparison of comparisonsIn(text)) {
    addPlain(tokens, text.slice(done, comparison.start));
    tokens.push({ kind: 'comparison', comparison });
    done = comparison.end;
  }
  addPlain(tokens, text.slice(done));
  return tokens;
}

function addPlain(tokens: Token[], text: string): void {
  for (const [raw] of text.matchAll(SIGN)) tokens.push(plainToken(raw, tokens.at(-1)));
}

function plainToken(raw: string, previous: Token | undefined): Token {
  if (/^\d+(?:[.,]\d+)*$/.test(raw)) return { kind: 'number', word: raw.replace(/,/g, '') };
  if (raw === '/') return { kind: 'or' };
  if (/^[.!?;\n]$/.test(raw)) return { kind: 'end' };
  if (/^[,:()]$/.test(raw)) return { kind: 'break', word: raw };
  const plain = fold(raw)
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '');
  if (ALTERNATIVES.has(plain)) return { kind: 'or' };
  if (NEGATORS.has(plain) || (plain === 'than' && previous?.kind === 'word' && previous.word === 'other'))
    return { kind: 'not' };
  if (BREAKERS.has(plain)) return { kind: 'break', word: plain };
  const starts = previous === undefined || previous.kind === 'end';
  return {
    kind: 'word',
    word: stem(plain),
    proper: !starts && /^\p{Lu}/u.test(raw),
    stop: isStopWord(plain),
  };
}
