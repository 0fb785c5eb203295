// What a query wants done with the records: an analysis, related records, new fields for each.
import { fold, wordsOf } from '#platform/words.ts';
import { COMMANDS, FILLERS } from '../vocabulary.ts';
import { ANALYSES, RELATIONS, SHORT, WRITING } from './lexicon.ts';
import { phraseAt, use } from './reading.ts';
import { nounOf, type Token } from './tokens.ts';

export interface Wishes {
  analyze: boolean;
  discover: boolean;
  transform: { instructions: string; fields: string[] } | null;
  /** The tokens, those of the wishes marked. */
  tokens: Token[];
  /** Whether the token at `i` is part of what is to be written. */
  covers(i: number): boolean;
}

const WRITE =
  'write|extract|draft|compose|generate|compute|calculate|derive|classify|label|translate|rewrite|tag|add|determine|give(?: me)?|create|describe|summari[sz]e';
// No two parts of these expressions can share a run of one sign: each run is read once.
const FOR_EACH = /\bfor (?:each|every)(?: of)?(?: the)? (?=\S)/i;
const AFTER_EACH = new RegExp(`(?:[,:] ?| )(?:and |please )?((?:${WRITE})\\b.+)$`, 'i');
const TO_EACH = new RegExp(
  `^(?:please )?((?:${WRITE})\\b.+?) (?:for|of|to|from) (?:each|every)(?: of)?(?: the)? (?:.+)$`,
  'i',
);

/** "for each company write a slogan": what is to be written. */
function writtenForEach(query: string): string | undefined {
  const each = FOR_EACH.exec(query);
  // What is written is for something, which has a character at least.
  return each ? AFTER_EACH.exec(query.slice(each.index + each[0].length + 1))?.[1] : undefined;
}

/** Numbers over records are groups. */
const NUMBER =
  /^(?:give(?: me)?|compute|calculate|determine)\b.*\b(?:number|count|average|mean|total|sum|max(?:imum)?|min(?:imum)?|how many|highest|lowest)\b/i;

/** Marks the tokens that say what to do with the records. The query has no runs of white space. */
export function markWishes(query: string, tokens: Token[]): Wishes {
  const each = writtenForEach(query);
  const written = each ?? TO_EACH.exec(query)?.[1];
  const transform =
    written === undefined || NUMBER.test(written)
      ? null
      : { instructions: written, fields: fieldsIn(written) };
  const start = transform
    ? each
      ? query.lastIndexOf(transform.instructions)
      : query.indexOf(transform.instructions)
    : -1;
  const end = transform ? start + transform.instructions.length : -1;
  const covered = tokens.map((token) => transform !== null && token.start >= start && token.end <= end);
  tokens.forEach((token, i) => {
    const isEach = transform !== null && /^(each|every|for)$/.test(token.word);
    if (covered[i] || isEach) token.use = 'wish';
  });
  const reading = { tokens };
  let [analyze, discover] = [false, false];
  for (let i = 0; i < tokens.length; i++) {
    const analysis = phraseAt(reading, i, ANALYSES);
    const relation = phraseAt(reading, i, RELATIONS);
    analyze ||= analysis !== undefined;
    discover ||= relation !== undefined;
    use(reading, i, analysis?.length ?? 0, 'wish');
    use(reading, i, relation?.length ?? 0, 'relation');
  }
  markWriting(tokens);
  return { analyze, discover, transform, tokens, covers: (i) => covered[i] === true };
}

/** "write a short summary", "make a list": the verb belongs to what it makes, if that is a wish or the records. */
function markWriting(tokens: Token[]): void {
  tokens.forEach((token, i) => {
    if (token.use !== null || !WRITING.has(token.word)) return;
    const between = tokens.slice(i + 1, i + 5);
    const made = between.findIndex(
      ({ use: used, word }) => used === 'wish' || /^(list|table)$/.test(nounOf(word)),
    );
    if (made < 0) return;
    token.use = 'wish';
    for (const one of between.slice(0, made)) if (SHORT.has(one.word)) one.use = 'wish';
  });
}

const EMPTY_NAMES = new Set('a an the it its their one line sentence short brief me of'.split(' '));

/** Names for the fields to extract: "extract the domain and the founding year" gives two; at most 5. */
function fieldsIn(order: string): string[] {
  const [, ...words] = fold(order).split(/\s+/);
  const wanted =
    words.join(' ').split(/\b(?:about|that|which|based|from|using|with|as|into|in|for|so|to)\b/)[0] ?? '';
  const names = wanted.split(/,|\band\b/).map((part) => {
    const own = wordsOf(part).filter((word) => /^\p{L}/u.test(word) && !EMPTY_NAMES.has(word));
    const telling = own.filter((word) => !COMMANDS.has(word) && !FILLERS.has(word));
    return (telling.length > 0 ? telling : own).slice(-2).join('_');
  });
  const fields = [...new Set(names.filter(Boolean))].slice(0, 5);
  return fields.length > 0 ? fields : ['result'];
}
