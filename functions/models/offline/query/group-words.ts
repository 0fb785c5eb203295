// Counts, measures and groups in a query: "how many", "average price", "per city", "orders by country".
import type { Measure } from '#contract/conditions.ts';
import { COUNTS, GROUPS, MEASURES } from './lexicon.ts';
import { fieldAt, isAmount, isCategory, isDated, moneyField, type NamedField, only } from './names.ts';
import { ARTICLES, closeMention, past, phraseAt, type Reading, use, wordAt } from './reading.ts';
import { leadsToType, valueAt } from './values.ts';

const VARIOUS = new Set(['different', 'distinct', 'unique', 'various']);
const DIFFERENT = new Set([...VARIOUS, 'the', 'of', 'all']);
const GROUPS_MAX = 3;

/** Reads "how many" at `i`: of records, of different values, or of what a field counts. */
export function readCount(reading: Reading, i: number): number {
  if (wordAt(reading, i) === 'how' && wordAt(reading, i + 1) === 'much') {
    reading.howMuch = true;
    return use(reading, i, 2, 'measure');
  }
  const found = phraseAt(reading, i, COUNTS);
  if (!found) return 0;
  const at = past(reading, i + found.length, DIFFERENT);
  const distinct = reading.tokens.slice(i + found.length, at).some(({ word }) => VARIOUS.has(word));
  const named =
    reading.typesAt.has(at) && !distinct
      ? undefined
      : fieldAt(reading.tokens, at, reading.fields, (field) => isAmount(field) || isCategory(field));
  const field = only(named?.fields ?? []);
  const isNumberOf = wordAt(reading, i + found.length - 1) === 'of' && wordAt(reading, i) !== 'total';
  // "sorted by number of employees": the words before belong to the field.
  if (named && field && isAmount(field) && named.by !== 'stem') {
    closeMention(reading);
    use(reading, i, found.length, isNumberOf ? 'field' : 'measure');
    if (isNumberOf) return found.length;
    use(reading, at, named.length, 'field');
    reading.measures.push({ op: 'sum', field });
    return at + named.length - i;
  }
  closeMention(reading);
  reading.count = true;
  use(reading, i, found.length, 'measure');
  if (!named || !field || named.by === 'stem' || isAmount(field) || field.kinds.includes('boolean'))
    return found.length;
  use(reading, i + found.length, at - i - found.length, 'group');
  use(reading, at, named.length, 'group');
  reading.groups.push(field);
  return at + named.length - i;
}

/** Reads "average price", "minimum and maximum price", "total of orders"; 0 where no field to measure follows. */
export function readMeasure(reading: Reading, i: number): number {
  const whole = readTotalOf(reading, i);
  if (whole > 0) return whole;
  const own = fieldAt(reading.tokens, i, reading.fields, isAmount);
  // A field may be called `total_price` or `average_rating`.
  if (own && own.length > 1 && own.by === 'name') return 0;
  const ops: Measure['op'][] = [];
  let at = i;
  for (let found = phraseAt(reading, at, MEASURES); found; found = phraseAt(reading, at, MEASURES)) {
    if (
      /^(most|least|longest|shortest|biggest|largest|greatest|highest|lowest|smallest)$/.test(
        wordAt(reading, at),
      ) &&
      ops.length === 0
    )
      return 0;
    if (ops.length > 0 && fieldAt(reading.tokens, at, reading.fields, isAmount)?.by === 'name') break;
    ops.push(found.meaning);
    at = past(reading, at + found.length, new Set([...ARTICLES, 'and', ',', '&']));
  }
  if (ops.length === 0) return 0;
  const counted = past(reading, at, new Set(['number', 'of', 'the', 'amount']));
  const next = fieldAt(reading.tokens, at, reading.fields, isAmount);
  const named = next ?? fieldAt(reading.tokens, counted, reading.fields, isAmount);
  const from = next ? at : counted;
  const field = only(named?.fields ?? []);
  if (!named || !field) return countOf(reading, i, at, counted, ops);
  closeMention(reading);
  use(reading, i, from - i, 'measure');
  use(reading, from, named.length, 'field');
  for (const op of ops) reading.measures.push({ op, field });
  return from + named.length - i + alsoMeasured(reading, from + named.length, ops);
}

/** "total of paid orders": the sum of the field that is called so, or of the money. */
function readTotalOf(reading: Reading, i: number): number {
  const word = wordAt(reading, i);
  if (!/^(total|sum)$/.test(word) || wordAt(reading, i + 1) !== 'of' || reading.count) return 0;
  const at = past(reading, i + 2, ARTICLES);
  if (!leadsToType(reading, at)) return 0;
  const named = fieldAt(reading.tokens, i, reading.fields, isAmount);
  const field =
    (named?.by === 'name' ? only(named.fields) : undefined) ??
    (word === 'sum' ? moneyField(reading.fields) : undefined);
  if (!field) return 0;
  closeMention(reading);
  reading.measures.push({ op: 'sum', field });
  return use(reading, i, 2, 'measure');
}

/** "average price and rating": the same measure of another field. */
function alsoMeasured(reading: Reading, i: number, ops: Measure['op'][]): number {
  if (!/^(and|,)$/.test(wordAt(reading, i))) return 0;
  const named = fieldAt(reading.tokens, i + 1, reading.fields, isAmount);
  const field = only(named?.fields ?? []);
  if (!named || !field) return 0;
  use(reading, i + 1, named.length, 'field');
  for (const op of ops) reading.measures.push({ op, field });
  return 1 + named.length;
}

/** "total orders", "total number of orders". */
function countOf(reading: Reading, i: number, at: number, counted: number, ops: Measure['op'][]): number {
  if (
    ops.join() === 'sum' &&
    wordAt(reading, i - 1) === 'in' &&
    (reading.count || reading.howMuch || reading.measures.length > 0)
  )
    return use(reading, i, at - i, 'measure');
  const from = reading.typesAt.has(at) ? at : counted;
  if (!reading.typesAt.has(from) || ops.join() !== 'sum') return 0;
  reading.count = true;
  return use(reading, i, from - i, 'measure');
}

/** Reads "per city", "by category and year" at `i`. */
export function readGroup(reading: Reading, i: number): number {
  const found = phraseAt(reading, i, GROUPS);
  if (!found) return 0;
  const isBy = found.meaning === 'by';
  const from = past(reading, i + found.length, ARTICLES);
  const value = valueAt(reading, from);
  if (isBy && value && value.length > 1) return 0;
  const own = reading.typesAt.get(from);
  const named = groupsAt(
    reading,
    own !== undefined && !fieldAt(reading.tokens, from, reading.fields) ? from + own : from,
  );
  const open = only(reading.mention?.fields ?? []);
  const amountBefore = (open && isAmount(open)) || reading.shown.some(({ field }) => isAmount(field));
  if (named.fields.length === 0) {
    if (!isBy && own !== undefined) return use(reading, i, found.length, 'group');
    return 0;
  }
  const [first] = named.fields;
  // A number of all records has no order: by a field it is a number for each of its values.
  const isOneNumber = reading.measures.length > 0 && reading.rank === null && reading.sort.length === 0;
  // "top 5 by name" are the first of the alphabet, no groups of one.
  const isOrdered =
    first !== undefined &&
    (isAmount(first) || isDated(first) || (reading.rank !== null && first.path === 'name'));
  const isRanking = isBy && isOrdered && !isOneNumber;
  closeMention(reading);
  use(reading, i, found.length, isRanking ? 'order' : 'group');
  for (const [at, length] of named.spans) use(reading, at, length, isRanking ? 'field' : 'group');
  if (isRanking) orderBy(reading, first);
  else if (
    !isBy ||
    reading.count ||
    reading.measures.length > 0 ||
    reading.rank ||
    reading.howMuch ||
    amountBefore ||
    found.length > 1
  )
    reading.groups.push(...named.fields);
  else for (const field of named.fields) reading.sort.push({ field, direction: 'asc' });
  return named.end - i;
}

/** "top 5 by price", "top 5 cities by revenue". */
function orderBy(reading: Reading, field: NamedField): void {
  const head = reading.shown.find((one) => isCategory(one.field));
  if (reading.rank && head) reading.measures.push({ op: 'sum', field });
  else {
    if (reading.rank) {
      use(reading, reading.rank.at, reading.rank.length, 'order');
      if (reading.limit === null && reading.isOne) reading.limit = 1;
    }
    const { adjective } = reading;
    if (adjective) {
      const sign = adjective.sign;
      reading.sort[adjective.index] = { field, direction: sign === 1 ? 'desc' : 'asc' };
    } else {
      const direction = reading.rank?.direction ?? 'desc';
      const flipped = direction === 'desc' ? 'asc' : 'desc';
      reading.sort.push({ field, direction: isAmount(field) || isDated(field) ? direction : flipped });
    }
    reading.adjective = null;
    reading.rank = null;
  }
}

function groupsAt(
  reading: Reading,
  i: number,
): { fields: NamedField[]; spans: [number, number][]; end: number } {
  const fields: NamedField[] = [];
  const spans: [number, number][] = [];
  let end = i;
  for (let at = i; fields.length < GROUPS_MAX; ) {
    const named = fieldAt(reading.tokens, at, reading.fields);
    const field = only(named?.fields ?? []);
    if (!named || !field || named.by === 'stem') break;
    if (!fields.includes(field)) fields.push(field);
    spans.push([at, named.length]);
    end = at + named.length;
    const joined = /^(and|,|&|then)$/.test(wordAt(reading, end));
    at = joined ? past(reading, end + 1, new Set(['by', 'per', 'the', 'and'])) : Number.MAX_SAFE_INTEGER;
    if (!joined) break;
  }
  return { fields, spans, end };
}
