// The clauses of counts, measures and groups: "how many", "average price", "per city", "by country"; fields alone.
import type { Measure } from '#contract/conditions.ts';
import { isTypeName } from '../vocabulary.ts';
import { amountsAt, SIGNS } from './amounts.ts';
import { type Clause, clause, type Rule } from './clause.ts';
import { COUNTS, GROUPS, MEASURES, SUPERLATIVES } from './lexicon.ts';
import { fieldAt, isAmount, isCategory, moneyField, type NamedField, only } from './names.ts';
import { datedBefore, type GroupedTime, timeGroupAt } from './periods.ts';
import { isVerbOf } from './selections.ts';
import {
  ARTICLES,
  anyFieldAt,
  isOneOf,
  leadsToType,
  nounAt,
  past,
  phraseAt,
  type Text,
  valueAt,
  wordAt,
} from './text.ts';
import { nounOf } from './tokens.ts';

const VARIOUS = /^(different|distinct|unique|various)$/;
const DIFFERENT: ReadonlySet<string> = new Set('different distinct unique various the of all'.split(' '));
const GROUPS_MAX = 3;

/** "how many": of records, of different values, or of what a field counts. */
export const count: Rule = (text, i) => {
  if (wordAt(text, i) === 'how' && wordAt(text, i + 1) === 'much') return [clause(i + 2, { is: 'how much' })];
  const found = phraseAt(text, i, COUNTS);
  if (!found) return [];
  const from = i + found.length;
  const at = past(text, from, DIFFERENT);
  const isDistinct = text.tokens.slice(from, at).some(({ word }) => VARIOUS.test(word));
  const plain = clause(from, { is: 'count', field: null });
  const named =
    text.typesAt.has(at) && !isDistinct
      ? undefined
      : fieldAt(text.tokens, at, text.fields, (field) => isAmount(field) || isCategory(field));
  const field = only(named?.fields ?? []);
  if (!named || !field || named.by === 'stem' || field.kinds.includes('boolean')) return [plain];
  const end = at + named.length;
  const isNumberOf = wordAt(text, from - 1) === 'of' && wordAt(text, i) !== 'total';
  if (!isAmount(field)) return [clause(end, { is: 'count', field })];
  // "sorted by number of employees": the words before belong to the field.
  return [
    clause(
      end,
      isNumberOf ? shownPart(text, at, end, field) : { is: 'measures', measures: [{ op: 'sum', field }] },
    ),
  ];
};

const COUNTED: ReadonlySet<string> = new Set(['number', 'of', 'the', 'amount']);
const ORDERING = /^(most|least|longest|shortest|biggest|largest|greatest|highest|lowest|smallest)$/;
const MORE: ReadonlySet<string> = new Set([...ARTICLES, 'and', ',', '&']);

/** "average price", "minimum and maximum price", "average price and rating", "total number of orders". */
export const measures: Rule = (text, i) => {
  const whole = totalOf(text, i);
  const own = fieldAt(text.tokens, i, text.fields, isAmount);
  // A field may be called `total_price` or `average_rating`.
  if (whole.length > 0 || (own && own.length > 1 && own.by === 'name')) return whole;
  const ops: Measure['op'][] = [];
  let at = i;
  for (let found = phraseAt(text, at, MEASURES); found; found = phraseAt(text, at, MEASURES)) {
    if (ops.length > 0 && fieldAt(text.tokens, at, text.fields, isAmount)?.by === 'name') break;
    ops.push(found.meaning);
    at = past(text, at + found.length, MORE);
  }
  // "highest price" orders, "highest and lowest price" are two numbers.
  const isOfRecords = [...text.typesAt.keys()].some((typeAt) => typeAt < i);
  const isTwo = ops.length > 1 && !isOfRecords && ops.every((op) => op === 'min' || op === 'max');
  if (ops.length === 0 || (ORDERING.test(wordAt(text, i)) && !isTwo)) return [];
  // "average order total"
  const from = at + (text.typesAt.get(at) ?? 0);
  const counted = past(text, from, COUNTED);
  const next = fieldAt(text.tokens, from, text.fields, isAmount);
  const named = next ?? fieldAt(text.tokens, counted, text.fields, isAmount);
  const field = only(named?.fields ?? []);
  if (!named || !field) return countOf(text, i, at, past(text, at, COUNTED), ops);
  const all = fieldsAt(text, next ? from : counted, isAmount);
  return [
    clause(all.end, {
      is: 'measures',
      measures: all.fields.flatMap((one) => ops.map((op) => ({ op, field: one }))),
    }),
  ];
};

/** "total of paid orders": the sum of the field that is called so, or of the money. */
function totalOf(text: Text, i: number): Clause[] {
  const word = wordAt(text, i);
  const isTotal = /^(total|sum)$/.test(word) && wordAt(text, i + 1) === 'of';
  if (!isTotal || !leadsToType(text, past(text, i + 2, ARTICLES))) return [];
  const named = fieldAt(text.tokens, i, text.fields, isAmount);
  const field =
    (named?.by === 'name' ? only(named.fields) : undefined) ??
    (word === 'sum' ? moneyField(text.fields) : undefined);
  return field ? [clause(i + 2, { is: 'measures', measures: [{ op: 'sum', field }] })] : [];
}

/** "total orders", "total number of orders", and "in total" after a number that is asked for. */
function countOf(text: Text, i: number, at: number, counted: number, ops: Measure['op'][]): Clause[] {
  if (ops.join() !== 'sum') return [];
  if (wordAt(text, i - 1) === 'in') return [clause(at, { is: 'filler' })];
  const from = text.typesAt.has(at) ? at : counted;
  return text.typesAt.has(from) ? [clause(from, { is: 'count', field: null })] : [];
}

/** "per city", "by category and year". */
export const groups: Rule = (text, i) => {
  const found = phraseAt(text, i, GROUPS);
  if (!found) return [];
  const isPer = found.meaning === 'per';
  const from = past(text, i + found.length, ARTICLES);
  const value = valueAt(text, from);
  if (!isPer && value && value.length > 1) return [];
  const own = text.typesAt.get(from);
  const isType = own !== undefined && !anyFieldAt(text, from);
  const { fields, times, end } = groupedAt(text, isType ? from + own : from, datedBefore(text, i));
  const isLong = found.length > 1;
  if (fields.length > 0)
    return [clause(end, { is: 'by', fields, times, isPer: isPer || times.length > 0, isLong })];
  return isPer && own !== undefined ? [clause(i + found.length, { is: 'filler' })] : [];
};

/** "Which month has the most orders?": periods that are asked for. */
export const askedPeriod: Rule = (text, i) => {
  const isAsked =
    /^(which|what)$/.test(wordAt(text, i - 1)) || /^(with|has|have|had)$/.test(wordAt(text, i + 1));
  const time = isAsked ? timeGroupAt(text, i, undefined) : undefined;
  if (!time) return [];
  const isOne = isOneOf(text, i);
  return [
    clause(time.end, { is: 'by', fields: [time.field], times: [time], isPer: true, isLong: false, isOne }),
  ];
};

/** "cities with at least 3 companies": how many records each group has. */
export const size: Rule = (text, i) =>
  amountsAt(text, i).flatMap(({ isCompared, quantity, upto, dimension, side, end }) => {
    const length = text.typesAt.get(end);
    const isCount =
      isCompared && !upto && !quantity.unit && dimension === null && Number.isInteger(quantity.value);
    if (!isCount || length === undefined) return [];
    return [clause(end + length, { is: 'size', size: { op: SIGNS[side], value: quantity.value } })];
  });

/** The fields and periods that are listed from `i` on, at most three. */
function groupedAt(
  text: Text,
  i: number,
  dated: NamedField | undefined,
): { fields: NamedField[]; times: GroupedTime[]; end: number } {
  const fields: NamedField[] = [];
  const times: GroupedTime[] = [];
  let end = i;
  for (let at = i; fields.length < GROUPS_MAX; ) {
    const time = timeGroupAt(text, past(text, at, ARTICLES), dated);
    const next = time ?? groupAt(text, at, fields.length > 0 ? 'listed' : 'first');
    if (!next) break;
    if (time) times.push(time);
    if (!fields.includes(next.field)) fields.push(next.field);
    end = next.end;
    if (!/^(and|,|&|then)$/.test(wordAt(text, end))) break;
    at = past(text, end + 1, LISTED);
  }
  return { fields, times, end };
}

const LISTED: ReadonlySet<string> = new Set(['by', 'per', 'the', 'and']);

/** The one field that is named at `i`; by a stem alone only a first amount. */
function groupAt(
  text: Text,
  i: number,
  as: 'first' | 'listed',
  fits: (field: NamedField) => boolean = () => true,
): { field: NamedField; end: number } | undefined {
  const noun = nounAt(text, i, fits);
  const field = only(noun?.mention.fields ?? []);
  if (!noun || !field) return undefined;
  if (noun.mention.by === 'stem' && (as === 'listed' || !isAmount(field))) return undefined;
  return { field, end: noun.end };
}

/** The fields that are listed from `i` on, at most three. */
function fieldsAt(
  text: Text,
  i: number,
  fits: (field: NamedField) => boolean,
): { fields: NamedField[]; end: number } {
  const fields: NamedField[] = [];
  let end = i;
  for (let at = i; fields.length < GROUPS_MAX; ) {
    const noun = groupAt(text, at, fields.length > 0 ? 'listed' : 'first', fits);
    if (!noun) break;
    if (!fields.includes(noun.field)) fields.push(noun.field);
    end = noun.end;
    if (!/^(and|,|&|then)$/.test(wordAt(text, end))) break;
    at = past(text, end + 1, LISTED);
  }
  return { fields, end };
}

/** A field that is named and nothing else. */
export const shown: Rule = (text, i) => {
  const named = anyFieldAt(text, i);
  const field = only(named?.fields ?? []);
  if (!named || !field || named.by === 'stem') return [];
  // "people" are records where nothing else is asked for.
  if (named.by === 'synonym' && isTypeName(nounOf(wordAt(text, i))) && text.typesAt.size === 0) return [];
  const end = i + named.length;
  const [before, after] = [wordAt(text, i - 1), wordAt(text, end)];
  const isOther = text.othersAt.has(i);
  const isAsked =
    /^(which|what)$/.test(before) || SUPERLATIVES.has(before) || text.tokens[i - 1]?.kind === 'number';
  const isFirst = ![...text.typesAt.keys()].some((at) => at < i);
  if (isOther && isFirst && (!isAsked || text.typesAt.size === 0)) return [];
  // "people and their companies": a field of that name tells no more of the other type.
  if (
    isOther &&
    (named.by === 'synonym' || /^(their|its|his|her|with|at|of|and)$/.test(before) || after === 'with')
  )
    return [];
  if (/^(no|not|never|without|except|nor|neither)$/.test(before)) return [];
  // "that border Germany", "born Meyer": a verb whose object is no value of it.
  const isVerb =
    (/^(that|which|who)$/.test(before) && isVerbOf(text, i, named)) ||
    (named.by === 'synonym' && /ed$|^born$|^paid$|^built$/.test(wordAt(text, i)));
  const object = valueAt(text, end);
  if (isVerb || (object && !/^(with|has|have|having)$/.test(before) && isCategory(field))) return [];
  if (/^(total|sum)$/.test(wordAt(text, i)) && after === 'of') return [];
  return [clause(end, shownPart(text, i, end, field))];
};

const shownPart = (text: Text, at: number, end: number, field: NamedField) =>
  ({
    is: 'shown',
    field,
    isOne: isOneOf(text, end - 1),
    isAsked: /^(which|what|different|distinct|unique|various)$/.test(wordAt(text, at - 1)),
  }) as const;
