// What a query wants done with the records: an analysis, related records, new fields for each.
import { fold, wordsOf } from '#platform/words.ts';
import { COMMANDS, FILLERS } from '../vocabulary.ts';
import { ANALYSES, RELATIONS, SHORT, WRITING } from './lexicon.ts';
import { phraseAt } from './text.ts';
import { nounOf, type Token } from './tokens.ts';

export interface Wishes {
  analyze: boolean;
  discover: boolean;
  transform: { instructions: string; fields: string[] } | null;
  /** The tokens that say what to do. */
  covers: ReadonlySet<number>;
  /** The tokens that say that records are related. */
  relations: ReadonlySet<number>;
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

/** What is to be done with the records, and which tokens say so. The query has no runs of white space. */
export function wishesOf(query: string, tokens: readonly Token[]): Wishes {
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
  const covers = new Set<number>();
  tokens.forEach((token, i) => {
    if (!transform) return;
    if ((token.start >= start && token.end <= end) || /^(each|every|for)$/.test(token.word)) covers.add(i);
  });
  const relations = new Set<number>();
  let [analyze, discover] = [false, false];
  for (let i = 0; i < tokens.length; i++) {
    if (covers.has(i)) continue;
    const analysis = phraseAt({ tokens }, i, ANALYSES);
    const relation = phraseAt({ tokens }, i, RELATIONS);
    analyze ||= analysis !== undefined;
    discover ||= relation !== undefined;
    for (let k = 0; k < (analysis?.length ?? 0); k++) covers.add(i + k);
    for (let k = 0; k < (relation?.length ?? 0); k++) relations.add(i + k);
  }
  for (const i of writing(tokens, covers)) covers.add(i);
  return { analyze, discover, transform, covers, relations };
}

/** "write a short summary", "make a list": the verb belongs to what it makes, if that is a wish or the records. */
function writing(tokens: readonly Token[], covers: ReadonlySet<number>): number[] {
  return tokens.flatMap((token, i) => {
    if (covers.has(i) || !WRITING.has(token.word)) return [];
    const made = tokens
      .slice(i + 1, i + 5)
      .findIndex(({ word }, k) => covers.has(i + 1 + k) || /^(list|table)$/.test(nounOf(word)));
    if (made < 0) return [];
    const short = Array.from({ length: made }, (_, k) => i + 1 + k).filter((at) =>
      SHORT.has(tokens[at]?.word ?? ''),
    );
    return [i, ...short];
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
