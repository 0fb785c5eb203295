// Parses one sentence, token by token, into clauses of requirements.
import type { Sentence } from './clause.ts';
import { readComparison, readNumber } from './quantities.ts';
import { addWord, closeMention, newClause, type Reading } from './reading.ts';
import { mentionAt, type Shape } from './shape.ts';
import type { Token } from './tokens.ts';
import { COMMANDS, FILLERS, isTypeName, typeOf } from './vocabulary.ts';

const HIGHEST = new Set(
  'highest largest biggest greatest most top best newest latest recent higher larger bigger greater newer'.split(
    ' ',
  ),
);
const LOWEST = new Set(
  'lowest smallest fewest least oldest earliest cheapest lower smaller fewer older cheaper ascending'.split(
    ' ',
  ),
);
const OWNING = new Set('with has have having had'.split(' '));
const LINKING = new Set(
  'is are was were be equal equals contain containing mention mentioning include including like as match called named'.split(
    ' ',
  ),
);

/** The clauses of one sentence and the fields that it sorts by. */
export function readSentence(tokens: Token[], shape: Shape): Pick<Sentence, 'clauses' | 'rank'> {
  const first = newClause(false, '');
  const reading: Reading = {
    tokens,
    shape,
    clauses: [first],
    clause: first,
    alternative: false,
    running: false,
    mention: null,
    owning: false,
    order: { asked: false, descending: true },
    rank: null,
  };
  for (let i = 0; i < tokens.length; ) i += readToken(reading, i);
  closeMention(reading);
  return { clauses: reading.clauses, rank: reading.rank };
}

/** Reads the token at `i`; returns the tokens consumed. */
function readToken(reading: Reading, i: number): number {
  const token = reading.tokens[i];
  if (!token) return 1;
  if (token.kind === 'word') return readWord(reading, i, token);
  if (token.kind === 'comparison') return readComparison(reading, i, token.comparison);
  if (token.kind === 'number') return readNumber(reading, i, token.word);
  closeMention(reading);
  reading.running = false;
  if (token.kind === 'or') reading.alternative = true;
  else startClause(reading, token.kind === 'not', token.kind === 'break' ? token.word : 'not');
  return 1;
}

function startClause(reading: Reading, negated: boolean, joiner: string): void {
  reading.clause = newClause(negated, joiner);
  reading.clauses.push(reading.clause);
  reading.mention = null;
  reading.alternative = false;
  reading.owning = joiner === 'with' || negated;
}

function readWord(reading: Reading, i: number, token: Extract<Token, { kind: 'word' }>): number {
  const { word } = token;
  if (HIGHEST.has(word) || LOWEST.has(word) || word === 'by') {
    reading.order = { asked: true, descending: LOWEST.has(word) ? false : reading.order.descending };
    reading.running = false;
    return 1;
  }
  if (token.stop || LINKING.has(word)) {
    if (OWNING.has(word)) reading.owning = true;
    if (reading.mention && !LINKING.has(word) && word !== 'the' && word !== 'a') reading.mention.tied = false;
    reading.running = false;
    return 1;
  }
  const tied = reading.mention?.tied === true && reading.mention.open;
  if (!token.proper && !tied) {
    const used = readName(reading, i, word);
    if (used > 0) return used;
    if (COMMANDS.has(word) || FILLERS.has(word)) {
      reading.running = false;
      return 1;
    }
  }
  addWord(reading, word, token.proper);
  return 1;
}

/** Reads the name of a record type or field; 0 when the word is neither. */
function readName(reading: Reading, i: number, word: string): number {
  const type = typeOf(word);
  if (reading.shape.types.has(type)) {
    reading.clause.types.push(type);
    reading.running = false;
    return 1;
  }
  const mention = mentionAt(reading.shape, reading.tokens, i);
  if (mention) {
    closeMention(reading);
    reading.mention = { keys: mention.keys, open: true, tied: true, type: isTypeName(word) ? type : null };
    reading.running = false;
    return mention.length;
  }
  if (!isTypeName(word)) return 0;
  reading.clause.types.push(type);
  reading.running = false;
  return 1;
}
