// Reads a question as clauses, in the way that leaves the fewest words: first of those that an answer depends on, then
// of others. Of two that leave the same, the one that has to find fewer fields without their name, then the one with
// fewer and so longer clauses.
import { loadBearing } from '#models/load-bearing.ts';
import type { Clause, Part, Placed, Rule } from './clause.ts';
import { askedPeriod, count, groups, measures, shown, size } from './groups.ts';
import { HAPPENED, SITUATED } from './lexicon.ts';
import {
  counted,
  direction,
  firstOrLast,
  fromTo,
  limited,
  mostCommon,
  sorted,
  superlative,
} from './orders.ts';
import {
  absence,
  amountAlone,
  amountThenField,
  fieldThenPredicate,
  flag,
  happened,
  negated,
  numberName,
  partOfName,
  presence,
  timeAlone,
  valueThenField,
} from './selections.ts';
import { isFiller, type Text, wordAt } from './text.ts';

const one = (end: number, part: Part): Clause[] => [{ end, part }];

const type: Rule = (text, i) => {
  const length = text.typesAt.get(i);
  return length === undefined ? [] : one(i + length, { is: 'type' });
};

const name: Rule = (text, i) =>
  (text.namesAt.get(i) ?? []).flatMap(({ end, item }) => one(end, { is: 'name', item }));

const joint: Rule = (text, i) => {
  const word = wordAt(text, i);
  if (word === 'or' || word === '/') return one(i + 1, { is: 'joint', joint: 'or' });
  if (word === ',' || word === ';') return one(i + 1, { is: 'joint', joint: ',' });
  if (/^(and|&|plus|also|but)$/.test(word) && isFiller(text, i))
    return one(i + 1, { is: 'joint', joint: 'and' });
  return /^[.?!\n]$/.test(word) ? one(i + 1, { is: 'end' }) : [];
};

/** "who live in Berlin", "placed on 3 March": a verb that says no more than the preposition after it. */
const situated: Rule = (text, i) => {
  const isVerb = SITUATED.has(wordAt(text, i)) || HAPPENED.has(wordAt(text, i));
  const isPlaced = /^(in|at|from|for|to|near|there|here|as|on|by|since|before|after|between|during)$/;
  const isName = valueThenField(text, i).length > 0;
  return isVerb && !isName && isPlaced.test(wordAt(text, i + 1)) ? one(i + 1, { is: 'filler' }) : [];
};

/** In their order: of two clauses of the same words the first rule's is taken. */
const rules: readonly Rule[] = [
  ...[
    fieldThenPredicate,
    amountThenField,
    valueThenField,
    numberName,
    flag,
    negated,
    absence,
    presence,
    happened,
  ],
  ...[
    timeAlone,
    partOfName,
    amountAlone,
    direction,
    superlative,
    mostCommon,
    sorted,
    fromTo,
    limited,
    counted,
  ],
  ...[firstOrLast, count, measures, groups, askedPeriod, size, name, type, shown, situated, joint],
];

export interface Parsed {
  clauses: Placed[];
  /** The tokens that no clause reads and that are no words about the asking. */
  left: Set<number>;
}

/** What a reading of the rest leaves, in the order in which readings are compared. */
type Cost = readonly [bearing: number, others: number, unnamed: number, clauses: number, asking: number];

interface Best {
  cost: Cost;
  clause: Clause | null;
  end: number;
}

const isLess = (left: Cost, right: Cost): boolean => {
  const at = left.findIndex((one, i) => one !== right[i]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
};
const sum = (left: Cost, [a, b, c, d, e]: Cost): Cost => [
  left[0] + a,
  left[1] + b,
  left[2] + c,
  left[3] + d,
  left[4] + e,
];

/** Those whose clauses begin with the name of something. */
const naming: readonly Rule[] = [type, name, shown, valueThenField, flag, fieldThenPredicate];
const PAUSES: ReadonlySet<Part['is']> = new Set(['joint', 'end', 'filler']);

/** Whether nothing is lost without the word. "by status" says more than "by" alone. */
const isPassed = (text: Text, i: number) =>
  isFiller(text, i) && (wordAt(text, i) !== 'by' || groups(text, i).length === 0);

/** The best reading of a text. */
export function parse(text: Text): Parsed {
  const { tokens } = text;
  const best: Best[] = [];
  const done: Cost = [0, 0, 0, 0, 0];
  best[tokens.length] = { cost: done, clause: null, end: tokens.length };
  const bearing = tokens.map(({ text: said }) => loadBearing([said], text.known_types).length > 0);
  const leaving = (i: number): Cost => {
    if (tokens[i]?.kind === 'wish') return done;
    if (isPassed(text, i)) return [0, 0, 0, 0, tokens[i]?.kind === 'sign' ? 0 : 1];
    return bearing[i] ? [1, 1, 0, 0, 0] : [0, 1, 0, 0, 0];
  };
  for (let i = tokens.length - 1; i >= 0; i--) {
    const rest = (end: number): Cost => best[end]?.cost ?? done;
    const clauses =
      tokens[i]?.kind === 'wish' ? [] : rules.flatMap((rule) => rule(text, i)).filter(({ end }) => end > i);
    // A name that is passed over counts as a clause: what the workspace has is read before a word about the asking.
    const isName = isFiller(text, i) && naming.some((rule) => rule(text, i).length > 0);
    const ways: Best[] = [
      ...clauses.map((clause) => {
        const { part } = clause;
        const isUnnamed = part.is === 'test' && part.isUnnamed === true;
        const own: Cost = [0, 0, Number(isUnnamed), Number(!PAUSES.has(part.is)), 0];
        return {
          cost: [rest(clause.end), ...(clause.left ?? []).map(leaving)].reduce(sum, own),
          clause,
          end: clause.end,
        };
      }),
      { cost: sum(rest(i + 1), isName ? [0, 0, 0, 1, 1] : leaving(i)), clause: null, end: i + 1 },
    ];
    best[i] = ways.reduce((before, next) => (isLess(next.cost, before.cost) ? next : before));
  }
  return along(text, best);
}

function along(text: Text, best: readonly Best[]): Parsed {
  const clauses: Placed[] = [];
  const left = new Set<number>();
  for (let i = 0; i < text.tokens.length; ) {
    const { clause, end } = best[i] ?? { clause: null, end: i + 1 };
    if (clause) clauses.push({ ...clause, at: i });
    for (const at of clause ? (clause.left ?? []) : [i]) if (!isPassed(text, at)) left.add(at);
    i = end;
  }
  return { clauses, left };
}
