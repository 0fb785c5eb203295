// Parses the conditions of an instruction, given the field names of the items.
import type { Clause, Requirement, Sentence } from './clause.ts';
import { readSentence } from './sentence.ts';
import { type Shape, shareField } from './shape.ts';
import { type Token, tokensOf } from './tokens.ts';

const MOODS = new Map<string, Sentence['mood']>(
  Object.entries({
    ...moods('keep', 'keep retain select choose pick include take'),
    ...moods('remove', 'remove drop discard omit ignore reject skip delete avoid eliminate'),
    ...moods(
      'prefer',
      'prefer rank sort order score prioritize prioritise favor favour ideally explain respond answer note remember',
    ),
  }),
);

function moods(mood: Sentence['mood'], words: string): Record<string, Sentence['mood']> {
  return Object.fromEntries(words.split(' ').map((word) => [word, mood]));
}

/** Parses an instruction sentence by sentence. */
export function readConditions(instruction: string, shape: Shape): Sentence[] {
  return sentencesOf(tokensOf(instruction)).map((tokens) => {
    const head = tokens.findIndex((token) => token.kind === 'word' && !token.stop);
    const first = tokens[head];
    const mood = first?.kind === 'word' ? MOODS.get(first.word) : undefined;
    const rest = mood === undefined ? tokens : tokens.toSpliced(head, 1);
    const { clauses, rank } = readSentence(rest, shape);
    return { mood: mood ?? 'keep', clauses: joined(clauses, shape), rank };
  });
}

/** Splits tokens at full stops and where a new command begins ("…, but remove those in Bonn"). */
function sentencesOf(tokens: Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  tokens.forEach((token, i) => {
    const command = token.kind === 'word' && tokens[i - 1]?.kind === 'break' && MOODS.has(token.word);
    if (token.kind === 'end' || command) sentences.push([]);
    if (token.kind !== 'end') sentences.at(-1)?.push(token);
  });
  return sentences.filter((sentence) => sentence.length > 0);
}

/** Merges "in Berlin, Munich and Bonn" into one requirement with three alternatives. */
function joined(clauses: Clause[], shape: Shape): Clause[] {
  const result: Clause[] = [];
  for (const clause of clauses) {
    const before = result.at(-1);
    const wanted = before?.requirements.at(-1);
    const [given, ...others] = clause.requirements;
    const listed = ['and', 'or', ',', 'plus'].includes(clause.joiner) && clause.types.length === 0;
    if (wanted && given && others.length === 0 && listed && eitherOf(wanted, given, clause.joiner, shape))
      wanted.push(...given);
    else if (clause.requirements.length > 0 || clause.types.length > 0) result.push(clause);
  }
  return result;
}

function eitherOf(wanted: Requirement, given: Requirement, joiner: string, shape: Shape): boolean {
  if (joiner === 'or') return true;
  const a = wanted.at(-1);
  const b = given[0];
  if (a?.kind !== 'words' || b?.kind !== 'words' || b.keys !== null) return false;
  return (a.proper && b.proper) || shareField(shape, a.words, b.words);
}
