// What a query says about order and count: "top 5", "newest first", "alphabetically".
import type { Outline } from '#contract/record-queries.ts';
import { typeMentions } from './type-mentions.ts';

export interface OrderWords {
  /** The query without these words. */
  text: string;
  /** How many records are requested; null for all. */
  limit: number | null;
  /** By age, by name, or by what the rest of the query names. */
  by: 'age' | 'name' | null;
  /** null: as the rest of the query says. */
  direction: 'asc' | 'desc' | null;
}

const AGES: Record<string, 'asc' | 'desc'> = {
  newest: 'desc',
  latest: 'desc',
  'most recent': 'desc',
  youngest: 'desc',
  oldest: 'asc',
  earliest: 'asc',
};
const AGE = Object.keys(AGES).join('|');
const SIZE = 'largest|biggest|highest|greatest|smallest|lowest|fewest|cheapest';
const NUMBER = String.raw`(\d{1,4})`;

const AGE_FIRST = new RegExp(
  String.raw`[,;]?\s*\b(?:(?:sorted|ordered)\s+)?(?:with )?(?:the )?(${AGE})(?:\s+ones)?\s+first\b`,
  'i',
);
const AGE_OF = new RegExp(String.raw`(?:\b${NUMBER}\s+)?\b(${AGE})\s+(?:${NUMBER}\s+)?(?=\S)`, 'i');
const COUNTED = new RegExp(String.raw`\b(top|best|first|bottom)\s+${NUMBER}\b`, 'i');
const SIZED = new RegExp(String.raw`\b${NUMBER}\s+(?=(?:${SIZE})\b)|(?<=\b(?:${SIZE})\s+)${NUMBER}\b`, 'i');
const BY_NAME =
  /[,;]?\s*\b(?:(?:sorted|ordered|listed)\s+)?(?:alphabetically|(?:in )?alphabetical order|by (?:their )?names?)\b/i;
/** Keeps "by", which introduces the field. */
const SORTED = /[,;]?\s*\b(?:sort|order|rank)(?:ed)?\s+(?:(?:them|it)\s+)?(?=by\b)/i;
const SIZE_FIRST = new RegExp(String.raw`[,;]?\s*\b(${SIZE})(?:\s+ones)?\s+first\b`, 'i');
const DIRECTION = /[,;]?\s*(?:\bin )?\b(?:(asc(?:ending)?)|(desc(?:ending)?))(?: order)?\b/i;
const LEAST = /^(?:smallest|lowest|fewest|cheapest)$/i;

/** Parses the order words of a query. */
export function readOrder(query: string, shape: Outline): OrderWords {
  const found: OrderWords = { text: query, limit: null, by: null, direction: null };
  take(found, COUNTED, ([, word, number]) => {
    found.limit = Number(number);
    if (word?.toLowerCase() === 'bottom') found.direction = 'asc';
  });
  take(found, SIZED, ([, before, after]) => {
    found.limit ??= Number(before ?? after);
  });
  take(found, AGE_FIRST, ([, age]) => sortByAge(found, age));
  const aged = AGE_OF.exec(found.text);
  if (
    found.by === null &&
    aged &&
    typeMentions(found.text, shape).some(({ start }) => start === aged.index + aged[0].length)
  )
    take(found, AGE_OF, ([, before, age, after]) => {
      sortByAge(found, age);
      if (before ?? after) found.limit ??= Number(before ?? after);
    });
  take(found, BY_NAME, () => {
    found.by ??= 'name';
  });
  take(found, SORTED, () => {});
  take(found, SIZE_FIRST, ([, size]) => {
    found.direction ??= LEAST.test(size ?? '') ? 'asc' : 'desc';
  });
  take(found, DIRECTION, ([, up]) => {
    found.direction = up === undefined ? 'desc' : 'asc';
  });
  if (found.limit === 0) found.limit = null;
  return found;
}

function sortByAge(found: OrderWords, age: string | undefined): void {
  found.by = 'age';
  found.direction = AGES[age?.toLowerCase() ?? ''] ?? 'desc';
}

/** Takes the first match out of the text. */
function take(found: OrderWords, pattern: RegExp, read: (match: RegExpExecArray) => void): void {
  const match = pattern.exec(found.text);
  if (!match) return;
  found.text =
    `${found.text.slice(0, match.index)} ${found.text.slice(match.index + match[0].length)}`.trim();
  read(match);
}
