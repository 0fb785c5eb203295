// Numbers in a question, and the fields that they are compared with: "over 20", "between 5 and 10 kg", "older than 60".
import type { Where } from '#contract/conditions.ts';
import { datedSpan, type Side, shifted, timeCondition } from './dates.ts';
import { AFTER_AMOUNT, BASES, BEFORE_AMOUNT, COMPARATIVES, UNIT_DIMENSIONS, unitNamed } from './lexicon.ts';
import {
  datedField,
  dimensionField,
  isAmount,
  isBirth,
  isDated,
  moneyField,
  type NamedField,
  only,
} from './names.ts';
import { agrees, inUnitOf, type Quantity, quantityAt } from './quantities.ts';
import { ARTICLES, past, phraseAt, remembered, type Text, wordAt } from './text.ts';

export const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=', neq: '!=' } as const;
/** The side of a time that an age on this side is on. */
export const FLIPPED = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq', neq: 'neq' } as const;

/** A number that is compared, a range of two, or one of several. */
export interface Amount {
  end: number;
  side: Side;
  quantity: Quantity;
  /** The upper end of a range. */
  upto?: Quantity;
  /** Other numbers that do as well. */
  others?: Quantity[];
  /** What is compared: "older than" is about ages. */
  dimension: string | null;
  /** Words say how it is compared. */
  isCompared: boolean;
  /** Where the unit stands that was said last. */
  unitAt: number;
}

/** The amounts that can be read at `i`. */
export const amountsAt = remembered((text: Text, i: number): Amount[] => {
  const found = [rangeAt(text, i), comparedAt(text, i), listAt(text, i), plainAt(text, i)].flatMap(
    (one) => one ?? [],
  );
  return found.flatMap((one) => agedOf(text, one) ?? one);
});

const unitIndex = ({ tokens }: Text, at: number, { length }: Quantity) =>
  tokens[at]?.kind === 'sign' ? at : at + length - 1;

const RANGE_JOINTS = /^(?:to|until|till|through|-|–)$/;

/** "between 10 and 20", "from 5 to 8", "10-30". */
function rangeAt(text: Text, i: number): Amount | undefined {
  const lead = wordAt(text, i);
  const from = lead === 'between' || lead === 'from' ? past(text, i + 1, ARTICLES) : i;
  if (from === i && text.tokens[i]?.kind === 'word') return undefined;
  const low = quantityAt(text.tokens, from);
  const joint = wordAt(text, from + (low?.length ?? 0)).trim();
  if (!low || !(RANGE_JOINTS.test(joint) || (lead === 'between' && joint === 'and'))) return undefined;
  const at = past(text, from + low.length + 1, ARTICLES);
  const high = quantityAt(text.tokens, at);
  if (!high) return undefined;
  // "between 2 and 5 million"
  const isScaled = low.scale === 1 && high.scale > 1 && low.value < high.value / high.scale;
  return {
    end: at + high.length,
    side: 'gte',
    quantity: {
      ...low,
      unit: low.unit ?? high.unit,
      ...(isScaled && { value: low.value * high.scale, scale: high.scale }),
    },
    upto: { ...high, unit: high.unit ?? low.unit },
    dimension: null,
    isCompared: true,
    unitAt: unitIndex(text, at, high),
  };
}

const GENERAL = new Set(['amount', 'size', 'rating']);

/** "at least", "heavier than", "less expensive than". */
export function comparisonAt(
  text: Text,
  i: number,
): { side: Side; dimension: string | null; length: number } | undefined {
  const [first, second, third] = [wordAt(text, i), wordAt(text, i + 1), wordAt(text, i + 2)];
  const adjective = /^(more|less)$/.test(first) && third === 'than' ? BASES.get(second) : undefined;
  const degree = adjective ?? (second === 'than' ? COMPARATIVES.get(first) : undefined);
  if (!degree) {
    const found = phraseAt(text, i, BEFORE_AMOUNT);
    return found && { side: found.meaning, dimension: null, length: found.length };
  }
  const isMore = (first === 'less' && adjective !== undefined ? -degree.sign : degree.sign) > 0;
  return {
    side: isMore ? 'gt' : 'lt',
    dimension: GENERAL.has(degree.dimension) ? null : degree.dimension,
    length: adjective ? 3 : 2,
  };
}

function comparedAt(text: Text, i: number): Amount | undefined {
  const said = comparisonAt(text, i);
  if (!said) return undefined;
  const at = past(text, i + said.length, ARTICLES);
  const quantity = quantityAt(text.tokens, at);
  return (
    quantity && {
      end: at + quantity.length,
      side: said.side,
      quantity,
      dimension: said.dimension,
      isCompared: true,
      unitAt: unitIndex(text, at, quantity),
    }
  );
}

/** "5", "5 or more", "20 EUR". */
function plainAt(text: Text, i: number): Amount | undefined {
  const quantity = quantityAt(text.tokens, i);
  if (!quantity) return undefined;
  const after = phraseAt(text, i + quantity.length, AFTER_AMOUNT);
  return {
    end: i + quantity.length + (after?.length ?? 0),
    side: after?.meaning ?? 'eq',
    quantity,
    dimension: null,
    isCompared: after !== undefined,
    unitAt: unitIndex(text, i, quantity),
  };
}

/** "2 or 3 berths", "atomic numbers 6, 7 and 8". */
function listAt(text: Text, i: number): Amount | undefined {
  const all: Quantity[] = [];
  let end = i;
  for (let at = i; ; at = past(text, end, new Set([',', 'or', 'and']))) {
    const quantity = at > end || at === i ? quantityAt(text.tokens, at) : undefined;
    if (!quantity || quantity.length > 1) break;
    all.push(quantity);
    end = at + 1;
  }
  const [quantity, ...others] = all;
  if (!quantity || others.length === 0) return undefined;
  return { end, side: 'eq', quantity, others, dimension: null, isCompared: false, unitAt: end - 1 };
}

/** "30 years old", "aged 30": an age. */
function agedOf(text: Text, amount: Amount): Amount | undefined {
  return wordAt(text, amount.end) === 'old'
    ? { ...amount, end: amount.end + 1, dimension: 'age' }
    : undefined;
}

/** The condition that the field's number is this amount; undefined where the field has another unit. */
export function amountOn(field: NamedField, { side, quantity, upto, others }: Amount): Where | undefined {
  const { name } = field;
  const value = inUnitOf(field, quantity);
  const high = upto && inUnitOf(field, upto);
  if (value === undefined || (upto && high === undefined)) return undefined;
  if (others)
    return {
      field: name,
      op: 'in',
      value: [value, ...others.map((one) => inUnitOf(field, one) ?? one.value)],
    };
  if (high === undefined) return { field: name, op: SIGNS[side], value };
  return {
    and: [
      { field: name, op: '>=', value: Math.min(value, high) },
      { field: name, op: '<=', value: Math.max(value, high) },
    ],
  };
}

const unitOf = ({ quantity, upto }: Amount) => (upto ?? quantity).unit;

/** The place of a unit that the field does not have, which is left unread. */
export function unitLeft(field: NamedField, amount: Amount): number[] {
  const unit = unitOf(amount);
  return agrees(field, unit) || (unit && field.words.includes(unit.word)) ? [] : [amount.unitAt];
}

/** The field that an amount is of where none is named: by its unit, by what is compared, or the only one. */
export function fieldOfAmount(
  { fields }: Text,
  amount: Amount,
): { field: NamedField; isGuess: boolean } | undefined {
  const { quantity, dimension } = amount;
  const unit = unitOf(amount);
  const counted =
    unit?.measures === 'pieces'
      ? only(fields.filter((one) => isAmount(one) && one.core.join() === unit.word))
      : undefined;
  const field =
    counted ??
    (unit?.measures === 'money' ? moneyField(fields) : undefined) ??
    unitField(fields, unit) ??
    (dimension === null ? undefined : dimensionField(dimension, fields));
  if (field) {
    const isOther = dimension !== null && unit !== undefined && inUnitOf(field, quantity) === undefined;
    return isOther ? undefined : { field, isGuess: false };
  }
  if (unit || dimension !== null) return undefined;
  const likely = moneyField(fields) ?? only(fields.filter(isAmount));
  const { low = 0, high = 0 } = likely ?? {};
  // A field that is not named is meant only by an amount that it may have.
  const isPlausible = quantity.value >= low / 2 && quantity.value <= high * 10;
  return likely && isPlausible ? { field: likely, isGuess: true } : undefined;
}

function unitField(fields: readonly NamedField[], unit: Quantity['unit']): NamedField | undefined {
  if (!unit || unit.measures === 'money' || unit.measures === 'pieces') return undefined;
  const named = fields.filter(
    (field) => isAmount(field) && agrees(field, unit) && field.core.length < field.words.length,
  );
  const dimensions = UNIT_DIMENSIONS[unit.measures] ?? [];
  return only(named) ?? dimensions.flatMap((dimension) => dimensionField(dimension, fields) ?? [])[0];
}

const OLDEST_YEARS = 1000;

/** "older than 60": by a number of years, or by the time since; of this field if one is named. */
export function ageOn(text: Text, { side, quantity, upto }: Amount, named?: NamedField): Where | undefined {
  const { fields, types, today } = text;
  const age = dimensionField(
    'age',
    fields.filter((one) => isAmount(one) && one.words.includes('age')),
  );
  const unit = (upto ?? quantity).unit;
  const value = age && inUnitOf(age, quantity);
  if (age && !named && value !== undefined && (unit === undefined || unit.word === 'year' || isTimed(age)))
    return amountOn(age, {
      side,
      quantity,
      ...(upto && { upto }),
      end: 0,
      dimension: null,
      isCompared: true,
      unitAt: 0,
    });
  const field = named ?? only(fields.filter(isBirth)) ?? datedField(fields, types);
  const name = unit?.word ?? 'year';
  // "newer than 2025" is a time.
  if (!unit && quantity.value >= OLDEST_YEARS) return undefined;
  if (!field || !isDated(field) || Number.isNaN(today) || !['year', 'month', 'week', 'day'].includes(name))
    return undefined;
  const before = (years: number) =>
    datedSpan(shifted(today, name, -years), field.dated === 'year' ? 'year' : 'day');
  if (!upto) return timeCondition(field, FLIPPED[side], before(quantity.value));
  const [other, younger] = [
    timeCondition(field, 'gte', before(upto.value)),
    timeCondition(field, 'lte', before(quantity.value)),
  ];
  return other && younger ? { and: [other, younger] } : undefined;
}

/** Whether its name has a unit of time: `age_months`. */
const isTimed = ({ words }: NamedField) => words.some((word) => unitNamed(word)?.measures === 'time');
