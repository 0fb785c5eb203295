// The oracle: which load-bearing words of a question a plan has lost. It knows nothing of how questions are read: it only
// compares the words with the plan.
import type { FetchParams } from '#domain/evaluation/records-to-ask.ts';
import { type Known, wordsIn } from './known.ts';
import { hasNumber, numbersIn } from './numbers.ts';
import {
  bounds,
  contradiction,
  denies,
  factsOf,
  hasDate,
  hasWholePeriod,
  isOfTime,
  type PlanFacts,
} from './plan-facts.ts';

export interface Planned {
  params: FetchParams;
  /** The records that were found, which a plan of names has only by id. */
  names: readonly string[];
  /** Words that were named as not understood. */
  words: readonly string[];
  today: string;
}

interface Looked {
  text: string;
  facts: PlanFacts;
  known: Known;
  today: string;
}

/** The load-bearing words of the question that are neither in the plan nor named; [] for an honest plan. */
export function lost(question: string, planned: Planned, known: Known): string[] {
  const facts = factsOf(planned.params, planned.names);
  const text = withoutNamed(withoutValues(question, facts, known), planned.words);
  const looked = { text, facts, known, today: planned.today };
  return [...new Set(checks.flatMap((check) => check(looked)))];
}

const checks: ((looked: Looked) => string[])[] = [
  lostNumbers,
  lostComparisons,
  lostNegations,
  lostTimes,
  lostSuperlatives,
  lostMeasures,
  lostQuantifiers,
  lostTypes,
  lostCodes,
  lostTwins,
  lostChoices,
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const isWordIn = (text: string, word: string, flags: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, `u${flags}`).test(text);

/** The question without the values and names that the plan has as they stand: their words bear nothing else. */
function withoutValues(question: string, facts: PlanFacts, { texts }: Known): string {
  const inPlan = new Set(facts.texts.map((text) => text.toLowerCase()));
  const said = texts.filter(
    (text) => inPlan.has(text.toLowerCase()) && question.toLowerCase().includes(text.toLowerCase()),
  );
  return said.reduce((rest, value) => {
    const flags = value.length > 3 ? 'i' : '';
    if (!isWordIn(rest, value, flags)) return rest;
    return rest.replaceAll(
      new RegExp(`(?<![\\p{L}\\p{N}])${escaped(value)}(?![\\p{L}\\p{N}])`, `gu${flags}`),
      ' ¤ ',
    );
  }, question);
}

/** The question without the words that were named; of `19th` the digits alone may have been. */
const withoutNamed = (text: string, words: readonly string[]) =>
  words.reduce((rest, word) => {
    const end = /^\d+$/.test(word) ? '(?:st|nd|rd|th|s|%)?' : '';
    return rest.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}${end}(?![\\p{L}\\p{N}])`, 'iu'),
      ' ¤ ',
    );
  }, text);

function lostNumbers({ text, facts, known, today }: Looked): string[] {
  const inDates = text.replaceAll(/\b(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d\ds)\b/g, ' ');
  return numbersIn(inDates)
    .filter(
      (said) =>
        !hasNumber(said, facts, { today, shares: known.shares }) &&
        !(isSpan(text, said.word) && hasDate(facts)),
    )
    .map(({ word }) => word);
}

/** A number of days or the like, which a plan has as a date. */
const isSpan = (text: string, word: string) =>
  new RegExp(`${escaped(word)}[- ](?:years?|months?|weeks?|days?|hours?|quarters?)`, 'i').test(text);

const GREATER =
  /\b(?:over|above|more than|greater than|higher than|larger than|bigger than|exceed(?:s|ing)?|at least|or more|or later|no less than|no fewer than|not less than|minimum of|after|since)\b|(?<![<=])>=?|≥/gi;
const SMALLER =
  /\b(?:under|below|less than|fewer than|lower than|smaller than|at most|up to|or less|or fewer|or earlier|no more than|not more than|maximum of|before|until)\b|<(?!>)=?|≤/gi;
const EITHER = /\b(?!other\b)\w+er than\b/gi;
const BOTH_SIDES = /\bbetween\b|\b(?:around|about|roughly|approximately|circa|~)\s?\d|~\s?\d/gi;

function lostComparisons({ text, facts }: Looked): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/(?<=\bsince \S+) or later\b/g, '')
    .replaceAll(/\b(?:no|not) (?:more|less|fewer) than\b/g, (said) =>
      said.endsWith('more than') ? ' at most ' : ' at least ',
    );
  const { greater, smaller, dates } = bounds(facts);
  // A field may be called `member_since`.
  const used = new Set(fieldsIn(facts).flatMap(wordsIn));
  const found = (pattern: RegExp) => (plain.match(pattern) ?? []).filter((said) => !used.has(said));
  const [above, below, both] = [found(GREATER), found(SMALLER), found(BOTH_SIDES)];
  const comparatives = found(EITHER).filter(
    (said) =>
      !['higher', 'larger', 'bigger', 'lower', 'smaller', 'fewer', 'greater'].includes(
        said.split(' ')[0] ?? '',
      ),
  );
  const isFlipped = denies(facts);
  const wanted = above.length + below.length + comparatives.length + 2 * both.length;
  if (wanted > greater + smaller + dates)
    return [...above, ...below, ...comparatives, ...both].map((said) => said.trim());
  if (isFlipped) return [];
  return [
    ...(above.length > greater + dates ? above : []),
    ...(below.length > smaller + dates ? below : []),
    ...(both.length > 0 && dates === 0 && (greater < 1 || smaller < 1) ? both : []),
  ];
}

const NEGATION =
  /\b(?:not|no|none|never|neither|nor|without|except|excluding|other than|isn't|aren't|wasn't|doesn't|don't|didn't|hasn't|haven't|all but|everything but|anything but|outside)\b/i;

function lostNegations({ text, facts }: Looked): string[] {
  const plain = text
    .replaceAll(
      /\b(?:no|not) (?:more|less|fewer|later|earlier|older|younger|over|under|above|below)\b/gi,
      ' ',
    )
    .replaceAll('’', "'");
  const found = NEGATION.exec(plain)?.[0];
  return found && !denies(facts) ? [found] : [];
}

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const TIMES = new RegExp(
  `\\b(?:(?:in|since|before|after|until|from|during|and|or|of|last|this) (?:${MONTHS})|(?:${MONTHS}) \\d{4}|today|yesterday|tomorrow|(?:last|this|next|past|previous) (?:week|month|year|quarter|\\w+ (?:days|weeks|months|years))|(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ies)|\\d{2,4}s|Q[1-4]|\\d{4}-\\d\\d(?:-\\d\\d)?|\\d{1,2}[./]\\d{1,2}[./]\\d{4})\\b`,
  'g',
);

function lostTimes({ text, facts }: Looked): string[] {
  const said = [...text.matchAll(TIMES)].map(([word]) => word);
  if (said.length > 0 && !hasDate(facts)) return said;
  const isBound =
    /\b(?:since|before|after|until|by|to|onwards?|later|earlier|older|newer|than|between|ago)\b|[<>≤≥]/i.test(
      text,
    );
  if (said.length > 0 && !isBound && !hasWholePeriod(facts)) return said;
  const by = /\bby (?:\d{4}|\d{1,2}[./]|the end of)/i.exec(text)?.[0];
  if (by !== undefined && facts.conditions.some((one) => one.op.startsWith('>') && isOfTime(one)))
    return [by];
  const from = /\bfrom ((?:19|20)\d\d)\b(?! ?(?:on|to|until|till|through|and|or|-|–))/i.exec(text)?.[1];
  const { greater, smaller, dates } = bounds(facts);
  const isOpen = from !== undefined && greater + dates === 1 && smaller === 0;
  return isOpen && facts.conditions.some(({ op }) => op.startsWith('>')) ? [from] : [];
}

const SUPERLATIVE = /\b(?:\w{3,}est|most|least|top|bottom|worst|first|last)\b/gi;
const NO_SUPERLATIVE =
  /^(?:w|for|inter|t|r|requ|gu|harv|inv|qu|cont|pr|sugg|budap|ch|arr|prot)est$|^(?:nearest|rest)$/;
const ASCENDING = /^(?:smallest|lowest|fewest|least|bottom|lightest|shortest|cheapest|slowest)$/;
const DESCENDING = /^(?:largest|biggest|highest|most|top|heaviest|tallest|longest|greatest|priciest)$/;

function lostSuperlatives({ text, facts, known }: Looked): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(
      /\bat (?:least|most)\b|\b(?:last|first) (?:week|month|year|quarter|name|\w+ (?:days|weeks|months|years))\b|\bmost recent\b/g,
      (said) => (said === 'most recent' ? ' newest ' : ' '),
    );
  const said = [...plain.matchAll(SUPERLATIVE)]
    .map(([word]) => word)
    .filter((word) => !known.words.has(word) && !NO_SUPERLATIVE.test(word));
  if (said.length === 0) return [];
  const orders = facts.sort.map(({ direction = 'asc' }) => direction);
  const extremes = facts.measures.map(({ op }) => op);
  const has = (direction: 'asc' | 'desc', op: string) =>
    orders.includes(direction) || extremes.includes(op as never);
  const isOrdered = orders.length > 0 || extremes.some((op) => op === 'min' || op === 'max');
  if (!isOrdered) return said;
  const up = said.filter((word) => ASCENDING.test(word));
  const isNeutral = (word: string) => word === 'top' && said.length > 1;
  const down = said.filter((word) => DESCENDING.test(word) && !isNeutral(word));
  const range = /\bfrom (?:the )?(\w+) to (?:the )?\w+/.exec(plain)?.[1];
  const isRange = range !== undefined && orders[0] === (ASCENDING.test(range) ? 'asc' : 'desc');
  if (up.length > 0 && down.length > 0)
    return isRange || (has('asc', 'min') && has('desc', 'max')) ? [] : [...up, ...down];
  if (up.length > 0 && !has('asc', 'min')) return up;
  if (down.length > 0 && !has('desc', 'max') && !/\b(?:rank|position|place)\b/.test(plain)) return down;
  return [];
}

const MEASURES: [RegExp, string][] = [
  [/\b(?:average|mean|avg)\b/i, 'avg'],
  [/\b(?:sum|total)\b/i, 'sum'],
  [/\bmedian\b/i, 'median'],
];

function lostMeasures({ text, facts, known }: Looked): string[] {
  const used = new Set(fieldsIn(facts).flatMap(wordsIn));
  return MEASURES.flatMap(([pattern, op]) => {
    const said = pattern.exec(text)?.[0];
    if (said === undefined || facts.measures.some((one) => one.op === op)) return [];
    const isField = known.words.has(said.toLowerCase()) && used.has(said.toLowerCase());
    const isCount =
      /\btotal (?:number|count)\b|\bin total\b/i.test(text) &&
      facts.measures.some((one) => one.op === 'count');
    return isField || isCount ? [] : [said];
  });
}

const fieldsIn = (facts: PlanFacts): string[] => [
  ...facts.conditions.map(({ field }) => field),
  ...facts.sort.map(({ field }) => field),
  ...facts.group_by,
  ...facts.measures.flatMap(({ field }) => field ?? []),
];

/** Shares, ranks and positions, which no plan has; the best of each group, which needs more than a count. */
function lostQuantifiers({ text, facts }: Looked): string[] {
  const never =
    /\b(?:top|bottom|best|worst) \d+ ?(?:%|percent)|\bhalf of\b|\bmost of\b|\branked\b|\bsame\b|\bthe (?:second|third|fourth|fifth)\b|\b\d+(?:st|nd|rd|th) (?:\w+est|most|least)\b/i.exec(
      text,
    )?.[0];
  const each = /\b(?:each|every)\b/i.exec(text)?.[0];
  const best =
    /\b(?:oldest|newest|largest|smallest|biggest|cheapest|youngest|longest|shortest|heaviest)\b/i.test(text);
  const measuresExtreme = facts.measures.some(({ op }) => op === 'min' || op === 'max');
  return [
    ...(never === undefined ? [] : [never]),
    ...(each !== undefined && best && !measuresExtreme ? [each] : []),
  ];
}

/** A type that is named is read, or is a field of what is read. */
function lostTypes({ text, facts, known }: Looked): string[] {
  const used = new Set([...facts.types, ...fieldsIn(facts)].flatMap(wordsIn).map(singular));
  const said = new Set(wordsIn(text).map(singular));
  return known.types.filter((type) => {
    const words = wordsIn(type).map(singular);
    return (
      facts.types.length > 0 &&
      words.every((word) => said.has(word)) &&
      !words.every((word) => used.has(word))
    );
  });
}

const IRREGULAR: Record<string, string> = { people: 'person', children: 'child', men: 'man', women: 'woman' };
const singular = (word: string): string =>
  IRREGULAR[word] ??
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/(?<!s)s$/, '');

/** A field that must be two things at once: an "or" was read as an "and". */
function lostChoices({ facts, known }: Looked): string[] {
  const field = contradiction(facts, known.lists);
  return field === undefined ? [] : [field];
}

/** A value in capitals that is no word of the plan, such as OR for Oregon. */
function lostCodes({ text, facts, known }: Looked): string[] {
  if (text === text.toUpperCase()) return [];
  const said = text.match(/(?<![\p{L}\p{N}])[A-Z]{2,4}(?![\p{L}\p{N}])/gu) ?? [];
  return said.filter((word) => known.codes.has(word) && !facts.texts.includes(word) && !isUnit(word));
}

const isUnit = (word: string) => /^(?:EUR|USD|GBP|CHF|JPY|UN)$/.test(word);

const COMPARED = '(?:over|above|under|below|(?:more|less|fewer) than|at least|at most)';
const TWO_BOUNDS = new RegExp(`${COMPARED} ([\\d.,]+)(?: \\w+)? (?:but|and) ${COMPARED} ([\\d.,]+)`, 'i');
const TWO_FIELDS = new RegExp(`(\\w+) and (\\w+) (?:are )?(?:both )?${COMPARED} ([\\d.,]+)`, 'i');

/** Two bounds of one field, and one bound of two fields; a bound that counts its own value. */
function lostTwins({ text, facts, known }: Looked): string[] {
  const fieldsWith = (word: string | undefined) =>
    facts.conditions.filter(({ values }) => values.includes(Number(word))).map(({ field }) => field);
  const [, low, high] = TWO_BOUNDS.exec(text) ?? [];
  const [of, and] = [fieldsWith(low), fieldsWith(high)];
  const isTorn = of.length > 0 && and.length > 0 && !of.some((field) => and.includes(field));
  const [, left, right, bound] = TWO_FIELDS.exec(text) ?? [];
  const areFields = [left, right].every((word) => word !== undefined && known.words.has(word.toLowerCase()));
  const [, side, own = ''] = /\b(?:in|on) or (after|before) (\d{4})\b/i.exec(text) ?? [];
  const isIn = ({ op, values }: { op: string; values: unknown[] }) =>
    op.startsWith(side === 'after' ? '>=' : '<') &&
    values.some((value) => String(value).startsWith(own) || side !== 'after');
  return [
    ...(isTorn && low ? [low] : []),
    ...(areFields && left && new Set(fieldsWith(bound)).size === 1 ? [left] : []),
    ...(own !== '' && !facts.conditions.some(isIn) ? [own] : []),
  ];
}
