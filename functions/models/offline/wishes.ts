// What a query wants done: which words select records, and what else to write, analyze or find.
import { fold, wordsOf } from '#platform/words.ts';
import { COMMANDS, FILLERS } from './vocabulary.ts';

export interface Wish {
  /** The words that select records, without the leading command. */
  selection: string;
  /** "top 5" as 5. */
  top: number | null;
  analyze: boolean;
  discover: boolean;
  transform: { instructions: string; fields: string[] } | null;
}

const WORK =
  'summari[sz]e|compare|analy[sz]e|explain|describe|evaluate|assess|contrast|interpret|why|trends?|patterns?|insights?|overview|differences?|what do we know|what is known|how (?:do|does|are|is)|tell me about|report|breakdown|distribution|average|total|summary|analysis';
const WRITE =
  'write|extract|draft|compose|generate|compute|calculate|derive|classify|label|translate|rewrite|tag|add|determine|give(?: me)?|create|describe|summari[sz]e';

const ANALYZE = new RegExp(`\\b(?:${WORK})\\b`, 'i');
const DISCOVER =
  /\b(?:related|connected|linked|similar|relationships?|connections?|associated|network|who knows|like this|lookalikes?)\b/i;
const FOR_EACH = new RegExp(
  `\\bfor (?:each|every)(?: of)?(?: the)?\\s+(.+?)(?:,|:|\\s)\\s*(?:and |please )?((?:${WRITE})\\b.+)$`,
  'i',
);
const TO_EACH = new RegExp(
  `^(?:please )?((?:${WRITE})\\b.+?)\\s+(?:for|of|to|from) (?:each|every)(?: of)?(?: the)?\\s+(.+)$`,
  'i',
);
const THEN = new RegExp(
  `(?:[.;,]|\\band\\b|\\bthen\\b)\\s*(?:and |then |please |also ){0,9}(?:${WORK}|${WRITE}|list|show|rank|sort|say|tell|present|return|make|what|which|who)\\b.*$`,
  'i',
);
const LEAD =
  /^(?:please|can you|could you|would you|i (?:want|need|would like)(?: you)?(?: to)?|let'?s|show me|give me|tell me|which|what|who|where|how many|list|show|find|get|fetch|search(?: for)?|look up|retrieve|display|count|rank|sort|compare|summari[sz]e|analy[sz]e|explain|describe|identify|select|keep|report on|an? overview of|a summary of|about|why|are|is|do|does|all|the|our|my|of|any|me)\b[\s,:]*/i;

/** Parses the wishes of a query without triggers. */
export function wishesOf(query: string): Wish {
  const each = FOR_EACH.exec(query);
  const turned = each ? null : TO_EACH.exec(query);
  const written = each?.[2] ?? turned?.[1];
  const chosen = each?.[1] ?? turned?.[2] ?? query.replace(/(?<![?!.])[?!.]+$/, '');
  const rest = written === undefined ? chosen : `${query.slice(0, each?.index ?? 0)}`;
  const top = /\b(?:top|first|best)\s+(\d{1,4})\b/i.exec(query);
  const count = top ? Number(top[1]) : 0;
  return {
    selection: selecting(rest.trim() !== '' && each && each.index > 0 ? rest : chosen),
    top: count > 0 ? count : null,
    analyze: ANALYZE.test(written === undefined ? query : query.replace(written, ' ')),
    discover: DISCOVER.test(query),
    transform: written === undefined ? null : { instructions: written, fields: fieldsIn(written) },
  };
}

function selecting(text: string): string {
  let rest = text.trim();
  for (let lead = LEAD.exec(rest); lead && lead[0].length < rest.length; lead = LEAD.exec(rest))
    rest = rest.slice(lead[0].length);
  const head = withoutTail(rest).trim();
  return head === '' ? rest : head;
}

/** The text up to where it says what else to do ("…, and summarize them"). */
export function withoutTail(text: string): string {
  return text.replace(THEN, '');
}

/** Names for the fields to extract: "extract the domain and the founding year" gives two; at most 5. */
function fieldsIn(order: string): string[] {
  const [, ...words] = fold(order).split(/\s+/);
  const wanted =
    words.join(' ').split(/\b(?:about|that|which|based|from|using|with|as|into|in|for|so|to)\b/)[0] ?? '';
  const names = wanted.split(/,|\band\b/).map((part) => {
    const own = wordsOf(part).filter(
      (word) =>
        /^\p{L}/u.test(word) &&
        ![
          'a',
          'an',
          'the',
          'it',
          'its',
          'their',
          'one',
          'line',
          'sentence',
          'short',
          'brief',
          'me',
          'of',
        ].includes(word),
    );
    const telling = own.filter((word) => !COMMANDS.has(word) && !FILLERS.has(word));
    return (telling.length > 0 ? telling : own).slice(-2).join('_');
  });
  const fields = [...new Set(names.filter(Boolean))].slice(0, 5);
  return fields.length > 0 ? fields : ['result'];
}
