// The clauses that select records: a field and what is said of it, in either order, values, amounts, times, presence.
import type { Where } from '#contract/conditions.ts';
import { type Amount, ageOn, amountOn, amountsAt, comparisonAt, fieldOfAmount, unitLeft } from './amounts.ts';
import { type Clause, clause, type Rule, type Test } from './clause.ts';
import { AFTER_AMOUNT, NEGATIONS, SUPERLATIVES } from './lexicon.ts';
import {
  type FieldMention,
  fieldAt,
  hasTexts,
  isAmount,
  isDated,
  isFlag,
  type NamedField,
  only,
} from './names.ts';
import { CONTAINING, chainsAt, exists, indexesFrom, linksEnd, listed, not, partAt } from './predicates.ts';
import {
  ARTICLES,
  anyFieldAt,
  directed,
  isNumberName,
  isOfOtherField,
  leadsToType,
  past,
  phraseAt,
  remembered,
  type Text,
  valueAt,
  wordAt,
} from './text.ts';
import { timeField, timeOn, timesAt } from './times.ts';
import { nounOf } from './tokens.ts';

const test = (where: Where, more: Partial<Test> = {}): Test => ({ is: 'test', where, bare: false, ...more });

function present(field: NamedField): Where {
  if (isFlag(field)) return { field: field.name, op: '=', value: true };
  // A number that may be zero is there when it is more.
  return isAmount(field) && field.low === 0 ? { field: field.name, op: '>', value: 0 } : exists(field);
}

function missing(field: NamedField): Where {
  if (isFlag(field)) return not({ field: field.name, op: '=', value: true });
  const absent = not(exists(field));
  const isCounted = isAmount(field) && field.low === 0;
  return isCounted ? { or: [{ field: field.name, op: '=', value: 0 }, absent] } : absent;
}

/** "price is under 5", "grade gold or silver", "width and height over 300", "founded in 2010". */
export const fieldThenPredicate: Rule = remembered((text, i) => {
  const named = mentionAt(text, i);
  if (!named || (named.by !== 'name' && text.typesAt.has(i))) return [];
  const rest: Mention[] = [named, ...twinsOf(text, i, named)];
  return rest.flatMap(({ fields, length, others = [], joint }) => {
    const from = i + length;
    const end = linksEnd(text, from);
    return indexesFrom(from, end).flatMap((at) =>
      chainsAt(text, at, fields, true).map((said) =>
        clause(
          said.end,
          test(joint ? together(said.where, fields, others, joint) : said.where, {
            ...(said.alternative && { alternative: said.alternative }),
          }),
          said.left,
        ),
      ),
    );
  });
});

interface Mention extends FieldMention {
  others?: readonly NamedField[];
  joint?: 'and' | 'or';
}

/** The fields named at `i`, where they are no verb between records: "countries that border Germany". */
const mentionAt = remembered((text: Text, i: number): FieldMention | undefined => {
  const named = anyFieldAt(text, i);
  if (!named || (named.by === 'synonym' && text.othersAt.has(i))) return undefined;
  return /^(that|which|who)$/.test(wordAt(text, i - 1)) && isVerbOf(text, i, named) ? undefined : named;
});

export function isVerbOf(text: Text, i: number, { fields, length, by }: FieldMention): boolean {
  const next = text.tokens[i + length];
  const isOfTexts = fields.every(({ kinds }) => kinds.includes('text') || kinds.includes('list'));
  const isOwn =
    valueAt(text, i + length, (path) => fields.some((field) => field.path === path)) !== undefined;
  const isName = /^\p{Lu}/u.test(next?.text ?? '');
  return isOfTexts && by !== 'synonym' && length === 1 && !/ed$/.test(wordAt(text, i)) && isName && !isOwn;
}

/** "width and height": fields that are compared together. */
function twinsOf(text: Text, i: number, first: FieldMention): Mention[] {
  const field = only(first.fields.filter(isAmount));
  const joint = wordAt(text, i + first.length);
  if (!field || !/^(and|or|,)$/.test(joint)) return [];
  const at = past(text, i + first.length + 1, new Set([...ARTICLES, 'both']));
  const next = fieldAt(text.tokens, at, text.fields, isAmount);
  const other = only(next?.fields ?? []);
  if (!next || !other || other === field) return [];
  const end = past(text, at + next.length, new Set('are is both of that each'.split(' ')));
  if (!comparisonAt(text, end) && wordAt(text, end) !== 'between') return [];
  const further = twinsOf(text, at, next);
  const own: Mention = { ...next, length: end - i, others: [field], joint: joint === 'or' ? 'or' : 'and' };
  return [
    own,
    ...further.map((one) => ({
      ...one,
      length: one.length + at - i,
      others: [field, ...(one.others ?? [])],
    })),
  ];
}

function together(
  where: Where,
  [field]: readonly NamedField[],
  others: readonly NamedField[],
  joint: 'and' | 'or',
): Where {
  const all = [...others.map((other) => renamed(where, field?.name ?? '', other.name)), where];
  return joint === 'or' ? { or: all } : { and: all };
}

function renamed(where: Where, from: string, to: string): Where {
  if ('and' in where) return { and: where.and.map((one) => renamed(one, from, to)) };
  if ('or' in where) return { or: where.or.map((one) => renamed(one, from, to)) };
  if ('not' in where) return not(renamed(where.not, from, to));
  return where.field === from ? { ...where, field: to } : where;
}

const BEFORE_FIELD: ReadonlySet<string> = new Set(['of', 'a', 'an', 'in']);

/** "over 100 but under 500 employees", "3 bedrooms", "5 rooms or more". */
export const amountThenField: Rule = remembered((text, i) =>
  boundsAt(text, i).flatMap(({ bounds, joint, end }) => {
    const direct = fieldAt(text.tokens, end, text.fields, isAmount);
    const skip = past(text, end, BEFORE_FIELD);
    const isBehind = !direct && skip > end && !text.typesAt.has(end);
    const named = isBehind ? fieldAt(text.tokens, skip, text.fields, isAmount) : direct;
    const field = only(named?.fields ?? []);
    const [first] = bounds;
    const isOther = text.othersAt.has(end) && named?.by === 'synonym';
    if (!named || !field || !first || isOther || (text.typesAt.has(end) && named.by === 'stem')) return [];
    const isCount = bounds.length === 1 && !first.isCompared && !first.quantity.unit;
    if (isCount && leadsToType(text, first.end) && !/^(has|have|with)$/.test(wordAt(text, i - 1))) return [];
    const to = (isBehind ? skip : end) + named.length;
    const after = isCount ? phraseAt(text, to, AFTER_AMOUNT) : undefined;
    const said = after ? [{ ...first, side: after.meaning }] : bounds;
    const wheres = said.flatMap((one) => amountOn(field, one) ?? []);
    if (wheres.length < said.length) return [];
    const where = only(wheres) ?? (joint === 'or' ? { or: wheres } : { and: wheres });
    return [
      clause(
        to + (after?.length ?? 0),
        test(where, bounds.length > 1 ? { isGuess: 'amount' } : {}),
        said.flatMap((one) => unitLeft(field, one)),
      ),
    ];
  }),
);

/** One amount, or two that are joined: "over 30 but under 60". */
function boundsAt(text: Text, i: number): { bounds: Amount[]; joint: string; end: number }[] {
  return amountsAt(text, i).flatMap((first) => {
    const joint = wordAt(text, first.end);
    const next =
      first.isCompared && /^(and|but|or)$/.test(joint)
        ? amountsAt(text, first.end + 1).filter(({ isCompared, upto }) => isCompared && !upto)
        : [];
    return [
      { bounds: [first], joint, end: first.end },
      ...next.map((second) => ({ bounds: [first, second], joint, end: second.end })),
    ];
  });
}

/** "over 5000 EUR", "heavier than 20 kg", "older than 60": the field is meant by the unit or the comparison. */
export const amountAlone: Rule = remembered((text, i) =>
  boundsAt(text, i).flatMap(({ bounds, joint, end }) => {
    const [first] = bounds;
    if (!first || first.others) return [];
    const isAged = wordAt(text, i - 1) === 'aged';
    if (bounds.every(({ dimension }) => dimension === 'age') || isAged) {
      const where = ageOn(text, first);
      return where && bounds.length === 1 ? [clause(end, test(where))] : [];
    }
    const meant = fieldOfAmount(text, first);
    if (!meant || (!first.isCompared && !isSaidWithUnit(first))) return [];
    // "at least 12 companies" are a number of them, "top 10%" a part.
    if (
      (meant.isGuess && text.typesAt.has(end)) ||
      SUPERLATIVES.has(wordAt(text, i - 1)) ||
      wordAt(text, i - 1) === 'bottom'
    )
      return [];
    const wheres = bounds.flatMap((one) => amountOn(meant.field, one) ?? []);
    if (wheres.length < bounds.length) return [];
    const where = only(wheres) ?? (joint === 'or' ? { or: wheres } : { and: wheres });
    const left = bounds.flatMap((one) => unitLeft(meant.field, one));
    return [clause(end, test(where, { isUnnamed: true, ...(meant.isGuess && { isGuess: 'amount' }) }), left)];
  }),
);

const isSaidWithUnit = ({ quantity: { unit } }: Amount) => unit !== undefined && unit.measures !== 'money';

/** "in 2025", "since last month": of the field that records are dated by. */
export const timeAlone: Rule = remembered((text, i) =>
  timesAt(text, i).flatMap((said) => {
    const field = timeField(text, said);
    const where = field && timeOn(field, said);
    if (!field || !where) return [];
    // "over 2000" is a number where one can be meant, and no time.
    if (!said.isTime && said.side !== 'eq' && amountsAt(text, i).some((one) => fieldOfAmount(text, one)))
      return [];
    return [
      clause(
        said.end,
        test(where, { isGuess: 'time', ...(said.side === 'eq' && { alternative: field.name }) }),
      ),
    ];
  }),
);

/** "Berlin, Oslo or Rome", "open status". */
export const valueThenField: Rule = remembered((text, i) => {
  const found = valueAt(text, i);
  if (!found || isOfOtherField(text, i, found)) return [];
  // "1000 K" is an amount in a unit.
  if (/^\p{L}$/u.test(text.tokens[i]?.text ?? '') && text.tokens[i - 1]?.kind === 'number') return [];
  const values = directed(text, i, found.values);
  const said = listed(text, i, { ...found, values });
  const own = fieldAt(text.tokens, said.end, text.fields, ({ path }) =>
    values.some((value) => value.path === path),
  );
  const bare = clause(
    said.end,
    test(said.where, { bare: true, ...(said.alternative && { alternative: said.alternative }) }),
  );
  if (!own || own.by === 'synonym') return [bare];
  const ofField = listed(text, i, {
    ...found,
    values: values.filter(({ path }) => own.fields.some((field) => field.path === path)),
  });
  return [bare, clause(said.end + own.length, test(ofField.where))];
});

/** "order number 1003" */
export const numberName: Rule = (text, i) =>
  /^(number|no|nr)$/.test(wordAt(text, i)) && isNumberName(text, i + 1) ? valueThenField(text, i + 1) : [];

/** "named X", "starting with A", "with data in the name". */
export const partOfName: Rule = (text, i) => {
  const name = text.fields.find(({ words }) => words.join() === 'name');
  const part = CONTAINING.test(wordAt(text, i)) ? undefined : partAt(text, i);
  const inName = name ? inNameAt(text, i) : undefined;
  return [
    ...(name && part ? [clause(part.end, test({ field: name.name, op: part.op, value: part.said }))] : []),
    ...(inName ? [clause(inName.end, test(inName.where))] : []),
  ];
};

function inNameAt(text: Text, i: number): { end: number; where: Where } | undefined {
  const token = text.tokens[i];
  if (token?.kind !== 'word' || !/^(with|having)$/.test(wordAt(text, i - 1)) || wordAt(text, i + 1) !== 'in')
    return undefined;
  const at = past(text, i + 2, ARTICLES);
  const named = fieldAt(text.tokens, at, text.fields, (field) => field.path === 'name' || hasTexts(field));
  const field = only(named?.fields ?? []);
  if (!named || !field || !/^(name|title)$/.test(field.core.join())) return undefined;
  return { end: at + named.length, where: { field: field.name, op: 'contains', value: token.text } };
}

/** "in stock", "is active", "pets are not allowed", "newsletter = no". */
export const flag: Rule = remembered((text, i) => {
  const named = anyFieldAt(text, i);
  const field = only(named?.fields ?? []);
  if (!named || !field || !isFlag(field) || field.kinds.length > 1) return [];
  const rest = restOfFlag(text, i + named.length, field, named.length);
  const at = i + named.length + rest.length;
  const truth = truthAt(text, at);
  const isSo: Where = { field: field.name, op: '=', value: true };
  const isDenied = (truth?.value ?? true) === rest.isDenied;
  return [clause(at + (truth?.length ?? 0), test(isDenied ? not(isSo) : isSo))];
});

function restOfFlag(
  text: Text,
  i: number,
  field: NamedField,
  said: number,
): { length: number; isDenied: boolean } {
  const none = { length: 0, isDenied: false };
  if (field.core.length <= said) return none;
  const be = past(text, i, new Set(['are', 'is', 'be', 'been']));
  const isDenied = wordAt(text, be) === 'not';
  const at = be + (isDenied ? 1 : 0);
  return field.words.includes(nounOf(wordAt(text, at))) ? { length: at + 1 - i, isDenied } : none;
}

/** "is true", "= no": what a flag is said to be. */
function truthAt(text: Text, i: number): { value: boolean; length: number } | undefined {
  const at = past(text, i, new Set(['is', 'are', '=', '==', 'equals', 'set', 'to']));
  const word = wordAt(text, at);
  if (!/^(true|yes|on|false|no|off)$/.test(word) || (at === i && /^(no|on|off)$/.test(word)))
    return undefined;
  return { value: /^(true|yes|on)$/.test(word), length: at + 1 - i };
}

const OWNING = /^(with|has|have|having|had|own|owns|including)$/;

/** "with an email", "that have a phone": whether there is a value. */
export const presence: Rule = remembered((text, i) => {
  if (!OWNING.test(wordAt(text, i))) return [];
  const at = past(text, i + 1, new Set('a an the any some'.split(' ')));
  // What is said of the field says more.
  if (fieldThenPredicate(text, at).length > 0) return [];
  return fieldsFrom(text, at).map(({ fields, end }) => clause(end, test(allOf(fields.map(present)))));
});

/** "without email", "no phone or fax", "out of stock". */
export const absence: Rule = (text, i) => {
  const found = phraseAt(text, i, NEGATIONS);
  const without =
    found?.meaning === 'without'
      ? fieldsFrom(text, past(text, i + found.length, ARTICLES)).map(({ fields, end }) =>
          clause(end, test(allOf(fields.map(missing)))),
        )
      : [];
  if (wordAt(text, i) !== 'out' || wordAt(text, i + 1) !== 'of') return without;
  const named = fieldAt(text.tokens, i + 2, text.fields, (field) => isAmount(field) || isFlag(field));
  const field = only(named?.fields ?? []);
  if (!named || !field) return without;
  return [
    clause(i + 2 + named.length, test({ field: field.name, op: '=', value: isFlag(field) ? false : 0 })),
  ];
};

const allOf = (wheres: Where[]): Where => only(wheres) ?? { and: wheres };

/** One field, or several that are listed; whether a list is empty is no condition. */
function fieldsFrom(text: Text, i: number): { fields: NamedField[]; end: number }[] {
  const named = mentionAt(text, i);
  const field = only(named?.fields ?? []);
  if (!named || !field || field.kinds.includes('list')) return [];
  const end = i + named.length;
  const joint = past(text, end, new Set(['and', 'or', 'nor', ',']));
  const further = joint > end ? fieldsFrom(text, past(text, joint, ARTICLES)) : [];
  return [
    { fields: [field], end },
    ...further.map((more) => ({ fields: [field, ...more.fields], end: more.end })),
  ];
}

/** "never shipped", "paid": whether a field has its date. */
export const happened: Rule = remembered((text, i) => {
  const named = mentionAt(text, i);
  const field = only(named?.fields ?? []);
  const isParticiple = /ed$|^born$|^paid$|^built$/.test(wordAt(text, i));
  const isAfterVerb = AUXILIARIES.test(wordAt(text, i - 1));
  const isVerb = named?.by === 'stem' || named?.by === 'synonym' || isAfterVerb;
  if (!named || !field || !isParticiple || !isVerb || !isDated(field)) return [];
  return [clause(i + named.length, test(exists(field)))];
});

const AUXILIARIES = /^(been|be|was|were|is|are|have|has|had|not|never|yet|already|got|get)$/;

const denied: readonly Rule[] = [
  fieldThenPredicate,
  amountThenField,
  amountAlone,
  timeAlone,
  valueThenField,
  partOfName,
  flag,
  presence,
  happened,
];

/** "not in Berlin or Oslo", "other than gold", "neither free nor taken": a negation and what it denies. */
export const negated: Rule = (text, i) => {
  const found = phraseAt(text, i, NEGATIONS);
  if (!found) return [];
  const from = i + found.length;
  return indexesFrom(from, linksEnd(text, from)).flatMap((at) =>
    denied.flatMap((rule) =>
      rule(text, at).map(
        (one): Clause =>
          one.part.is === 'test'
            ? { ...one, part: test(denial(one.part.where), { bare: one.part.bare }) }
            : one,
      ),
    ),
  );
};

const denial = (where: Where): Where => ('not' in where ? where.not : not(where));
