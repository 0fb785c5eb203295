// The clauses of orders and limits: "top 5", "cheapest", "the most orders", "newest first", "sorted by price".
import { limits } from '#contract/limits.ts';
import { type Clause, clause, type Direction, type Rank, type Rule } from './clause.ts';
import { spanAt } from './dates.ts';
import { BASES, BY_NAME, DIRECTIONS_OF_ORDER, MEASURES, SORTS, SUPERLATIVES } from './lexicon.ts';
import {
  CREATED,
  datedField,
  dimensionField,
  fieldAt,
  isAmount,
  isBirth,
  isDated,
  isText,
  type NamedField,
  only,
} from './names.ts';
import { quantityAt } from './quantities.ts';
import {
  ARTICLES,
  anyFieldAt,
  leadsToType,
  nounAt,
  past,
  phraseAt,
  type Text,
  valueAt,
  wordAt,
} from './text.ts';
import { isSingular } from './tokens.ts';

interface Superlative {
  dimension: string;
  sign: 1 | -1;
  length: number;
}

function superlativeAt(text: Text, i: number): Superlative | undefined {
  const [before, word, next] = [wordAt(text, i - 1), wordAt(text, i), wordAt(text, i + 1)];
  const isShare = /^(most|least)$/.test(word) && (before === 'at' || next === 'of');
  if (isShare) return undefined;
  const base = BASES.get(next);
  if (base && word === 'most') return { ...base, length: 2 };
  if (base && word === 'least')
    return { dimension: base.dimension, sign: base.sign === 1 ? -1 : 1, length: 2 };
  if (word === 'bottom') return { dimension: 'rating', sign: -1, length: 1 };
  const degree = SUPERLATIVES.get(word);
  return degree && { ...degree, length: 1 };
}

const GENERAL = /^(top|best|bottom|worst)$/;
const directed = (sign: 1 | -1): Direction => (sign === 1 ? 'desc' : 'asc');

/** Of times, the oldest are the least. */
export const directionFor = (
  field: NamedField,
  { dimension, sign }: Pick<Superlative, 'dimension' | 'sign'>,
): Direction => (dimension === 'age' && isDated(field) ? directed(sign === 1 ? -1 : 1) : directed(sign));

/** A number of records or groups: no amount in a unit, no share. */
function countAt({ tokens }: Text, i: number): { value: number; length: number } | undefined {
  const quantity = quantityAt(tokens, i);
  const isCount =
    quantity?.unit === undefined &&
    Number.isInteger(quantity?.value) &&
    (quantity?.value ?? 0) > 0 &&
    (quantity?.value ?? 0) <= limits.step_items_max;
  return isCount ? quantity : undefined;
}

/** The field that an adjective is about. */
export function fieldFor(
  { fields, types }: Text,
  dimension: string,
  asked: readonly string[],
): NamedField | undefined {
  if (dimension !== 'age')
    return (
      dimensionField(dimension, fields) ?? (dimension === 'size' ? only(fields.filter(isAmount)) : undefined)
    );
  const dated = fields.filter((field) => isDated(field) && field.path !== 'updated_at' && field !== CREATED);
  return (
    only(fields.filter((field) => isDated(field) && asked.includes(field.name))) ??
    only(fields.filter((field) => isAmount(field) && field.words.includes('age'))) ??
    only(fields.filter(isBirth)) ??
    datedField(fields, types) ??
    (dated.length === 0 ? fields.find((field) => field === CREATED) : undefined)
  );
}

const BEFORE_RANKED: ReadonlySet<string> = new Set([...ARTICLES, 'number', 'amount', 'ones']);

/** Adjectives that say of any number that it is large or small. */
const OF_ANY_NUMBER = new Set(['amount', 'size', 'length', 'rating', 'height', 'age', 'price']);

/** "the 5 cheapest products", "highest rated", "customer with the highest spend", "city with the most customers". */
export const superlative: Rule = (text, i) => {
  const before = countAt(text, i);
  const from = i + (before?.length ?? 0);
  const said = superlativeAt(text, from);
  if (!said) return [];
  const behind = before ? undefined : countAt(text, from + said.length);
  const end = from + said.length + (behind?.length ?? 0);
  const at = past(text, end, BEFORE_RANKED);
  const rank: Rank = {
    is: 'rank',
    direction: directed(said.sign),
    dimension: said.dimension,
    sign: said.sign,
    isGeneral: GENERAL.test(wordAt(text, from)),
    isCount: /^(most|fewest|least)$/.test(wordAt(text, from)) && said.length === 1,
    limit: (before ?? behind)?.value ?? null,
    field: null,
    measure: null,
    countsRecords: false,
    isOrder: false,
    said: { at: from, end: from + said.length },
    next: at,
  };
  const plain = clause(end, rank);
  return [...ofField(text, rank, said), ...ofMeasure(text, rank), ...ofRecords(text, rank), plain].flatMap(
    (one) => [one, ...first(text, one)],
  );
};

/** "cheapest first", "the largest revenue first". */
function first(text: Text, { end, part }: Clause): Clause[] {
  const at = past(text, end, new Set(['ones']));
  const to = text.typesAt.has(at) ? at + (text.typesAt.get(at) ?? 0) : at;
  if (part.is !== 'rank' || wordAt(text, to) !== 'first' || text.tokens[to + 1]?.kind === 'number') return [];
  return [clause(to + 1, { ...part, isOrder: true })];
}

/** "highest price" */
function ofField(text: Text, rank: Rank, { dimension }: Superlative): Clause[] {
  const { next } = rank;
  const isTyped = text.typesAt.has(next);
  if ((isTyped && rank.isGeneral) || !OF_ANY_NUMBER.has(dimension)) return [];
  const fits = (field: NamedField) => isAmount(field) || (isDated(field) && dimension === 'age');
  const named = fieldAt(text.tokens, next, text.fields, fits);
  const field = only(named?.fields ?? []);
  // "oldest open ticket" is not the one that was opened first, or not only.
  if (!named || !field || (named.by === 'stem' && !/ed$/.test(wordAt(text, next)))) return [];
  if (isTyped && named.by !== 'name') return [];
  const end = next + named.length;
  return [clause(end, { ...rank, field, direction: directionFor(field, rank), next: end })];
}

/** "the highest average price" */
function ofMeasure(text: Text, rank: Rank): Clause[] {
  const own = fieldAt(text.tokens, rank.next, text.fields, isAmount);
  const operation =
    own && own.length > 1 && own.by === 'name' ? undefined : phraseAt(text, rank.next, MEASURES);
  if (!operation || operation.meaning === 'max' || operation.meaning === 'min') return [];
  const noun = nounAt(text, rank.next + operation.length, isAmount);
  const field = only(noun?.mention.fields ?? []);
  return noun && field
    ? [clause(noun.end, { ...rank, field, measure: operation.meaning, next: noun.end })]
    : [];
}

/** "the most customers", "the most common diagnosis" */
function ofRecords(text: Text, rank: Rank): Clause[] {
  if (rank.isCount && leadsToType(text, rank.next))
    return [clause(rank.next, { ...rank, countsRecords: true })];
  return [];
}

/** "the most common diagnosis": groups of a field by their number of records. */
export const mostCommon: Rule = (text, i) => {
  const isCommon = /^(common|frequent|frequently|often|popular)$/.test(wordAt(text, i + 1));
  const noun = wordAt(text, i) === 'most' && isCommon ? nounAt(text, i + 2, isText) : undefined;
  const field = only(noun?.mention.fields ?? []);
  if (!noun || !field) return [];
  const rank: Rank = {
    ...{
      is: 'rank',
      direction: 'desc',
      dimension: 'amount',
      sign: 1,
      isGeneral: false,
      isCount: true,
      limit: null,
    },
    ...{ field, measure: 'count', countsRecords: true, isOrder: false },
    ...{ said: { at: i, end: i + 2 }, next: noun.end },
  };
  return [clause(noun.end, rank)];
};

/** Numbers and times begin with the greatest, texts with the first. */
const naturalDirection = (field: NamedField): Direction =>
  isAmount(field) || isDated(field) ? 'desc' : 'asc';

/** "sorted by price descending and name", "alphabetically". */
export const sorted: Rule = (text, i) => {
  const byName = phraseAt(text, i, BY_NAME);
  const name = text.fields.find(({ core }) => core.join() === 'name');
  if (byName && name)
    return [clause(i + byName.length, { is: 'sort', sorts: [{ field: name, direction: 'asc' }] })];
  const found = phraseAt(text, i, SORTS);
  // "ranked 5 to 10" are no first ones.
  if (!found || quantityAt(text.tokens, i + found.length)) return [];
  const sorts: { field: NamedField; direction: Direction }[] = [];
  let end = i + found.length;
  for (let at = end; ; ) {
    const noun = nounAt(text, at);
    const field = only(noun?.mention.fields ?? []);
    if (!noun || !field) break;
    const said = phraseAt(text, noun.end, DIRECTIONS_OF_ORDER);
    sorts.push({ field, direction: said?.meaning ?? naturalDirection(field) });
    end = noun.end + (said?.length ?? 0);
    if (!/^(and|then|,)$/.test(wordAt(text, end))) break;
    at = past(text, end, new Set(['and', 'then', ',', 'by']));
  }
  const isOther =
    superlativeAt(text, past(text, end, ARTICLES)) !== undefined || wordAt(text, end - 1) !== 'by';
  if (sorts.length > 0) return [clause(end, { is: 'sort', sorts })];
  return isOther ? [clause(end, { is: 'filler' })] : [];
};

/** "price descending", "in ascending order". */
export const direction: Rule = (text, i) => {
  const found = phraseAt(text, i, DIRECTIONS_OF_ORDER);
  return found ? [clause(i + found.length, { is: 'direction', direction: found.meaning })] : [];
};

/** "from smallest to largest area". */
export const fromTo: Rule = (text, i) => {
  const from = wordAt(text, i) === 'from' ? superlativeAt(text, i + 1) : undefined;
  const to = i + 1 + (from?.length ?? 0);
  const last = from && wordAt(text, to) === 'to' ? superlativeAt(text, to + 1) : undefined;
  if (!from || !last || from.sign === last.sign) return [];
  const end = to + 1 + last.length;
  const named = fieldAt(
    text.tokens,
    past(text, end, ARTICLES),
    text.fields,
    (one) => isAmount(one) || isDated(one),
  );
  const field = named ? only(named.fields) : fieldFor(text, from.dimension, []);
  if (!field) return [];
  const length = named ? past(text, end, ARTICLES) + named.length : end;
  return [clause(length, { is: 'sort', sorts: [{ field, direction: directionFor(field, from) }] })];
};

/** "first 10 orders", "limit 5", "only 3"; "the last 5 orders" are the newest. */
export const limited: Rule = (text, i) => {
  const word = wordAt(text, i);
  const at = past(text, i + 1, new Set(['to', 'the']));
  const count = /^(first|last|limit|limited|only)$/.test(word) ? countAt(text, at) : undefined;
  const end = at + (count?.length ?? 0);
  if (!count || (word === 'only' && !text.typesAt.has(end) && end < text.tokens.length)) return [];
  if (word !== 'last') return [clause(end, { is: 'limit', limit: count.value })];
  const field = datedField(text.fields, text.types);
  return field ? [clause(end, ofTime(field, 'desc', count.value, { at: i, end }))] : [];
};

const ofTime = (field: NamedField, to: Direction, limit: number | null, said: Rank['said']): Rank => ({
  ...{
    is: 'rank',
    direction: to,
    dimension: 'age',
    sign: to === 'asc' ? 1 : -1,
    isGeneral: false,
    isCount: false,
  },
  ...{ limit, field, measure: null, countsRecords: false, isOrder: false, said, next: said.end },
});

/** "10 customers", "3 red wines", "at most 5 companies". */
export const counted: Rule = (text, i) => {
  const atMost = wordAt(text, i) === 'at' && wordAt(text, i + 1) === 'most' ? 2 : 0;
  const count = countAt(text, i + atMost);
  const end = i + atMost + (count?.length ?? 0);
  // "with two rooms", "at least 3 companies": no number of records that are asked for.
  if (
    !count ||
    /^(has|have|with|having|least|than|over|under|above|below|exactly)$/.test(wordAt(text, i - 1))
  )
    return [];
  // "3 directors", "5 biographies": a kind of them, in the plural.
  const value = valueAt(text, end);
  const category = fieldAt(text.tokens, end, text.fields, isText);
  const isOfKind = (value && !isSingular(wordAt(text, end))) || (category && category.by !== 'stem');
  return leadsToType(text, end) || (isOfKind && atMost === 0)
    ? [clause(end, { is: 'limit', limit: count.value })]
    : [];
};

/** "the first order", "the last visit", "was founded first". */
export const firstOrLast: Rule = (text, i) => {
  const word = wordAt(text, i);
  if (!/^(first|last|latest|earliest)$/.test(word)) return dateFirst(text, i);
  const to: Direction = word === 'first' || word === 'earliest' ? 'asc' : 'desc';
  if ((anyFieldAt(text, i)?.length ?? 0) > 1 || spanAt(text.tokens, i, text.today)) return [];
  const named = fieldAt(text.tokens, i + 1, text.fields, isDated);
  const own = only(named?.fields ?? []);
  const field = own ?? (text.typesAt.has(i + 1) ? datedField(text.fields, text.types) : undefined);
  const end = i + 1 + (own ? (named?.length ?? 0) : 0);
  return field ? [clause(end, ofTime(field, to, null, { at: i, end }))] : [];
};

/** "founded first" */
function dateFirst(text: Text, i: number): Clause[] {
  const named = fieldAt(text.tokens, i, text.fields, isDated);
  const field = only(named?.fields ?? []);
  const at = i + (named?.length ?? 0);
  if (!field || !/^(first|last|latest|earliest)$/.test(wordAt(text, at))) return [];
  if (quantityAt(text.tokens, at + 1) || spanAt(text.tokens, at, text.today)) return [];
  return [
    clause(
      at + 1,
      ofTime(field, /^(first|earliest)$/.test(wordAt(text, at)) ? 'asc' : 'desc', null, {
        at: i,
        end: at + 1,
      }),
    ),
  ];
}
