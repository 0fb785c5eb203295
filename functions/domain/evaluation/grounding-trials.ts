// The set `grounding`: an answer in words has the fact that was asked for, and no number or name that no item has.
import type { ModelItem } from '#models/tasks/model-task.ts';
import { visibleText } from '#platform/linked-markdown.ts';
import { inventedIn, numbersIn } from './claims.ts';
import { modelItems } from './records-to-ask.ts';
import { companies } from './sample-companies.ts';
import { only, type Trial } from './trial.ts';

const MAX_TOKENS = 300;
const SHOWN = 6;

type Company = (typeof companies)[number];

/** A question about some items, and what the answer must name; null: the items do not say it. */
interface Asked {
  question: string;
  items: ModelItem[];
  /** How many there are, where only the first of them are shown. */
  count?: number;
  facts: (string | number)[] | null;
}

const all = modelItems(companies);
const part = (from: number) => ({
  rows: companies.slice(from, from + SHOWN),
  items: all.slice(from, from + SHOWN),
});

function largest(rows: readonly Company[], by: (company: Company) => number): Company[] {
  const most = Math.max(...rows.map(by));
  return rows.filter((row) => by(row) === most);
}

/** Questions about six of the companies. */
function aboutSome(from: number): Asked[] {
  const { rows, items } = part(from);
  const richest = largest(rows, ({ fields }) => fields.revenue_musd);
  const oldest = largest(rows, ({ fields }) => -fields.founded_year);
  return [
    {
      question: 'Which of these companies has the highest revenue, and how much is it?',
      ...{ items, facts: richest.flatMap(({ name, fields }) => [name, fields.revenue_musd]) },
    },
    { question: 'Which of these companies is the oldest?', items, facts: oldest.map(({ name }) => name) },
    {
      question: 'How many of these companies are listed? Answer with the number.',
      ...{ items, facts: [rows.filter(({ fields }) => fields.listed).length] },
    },
    { question: 'Who is the chief executive of each of these companies?', items, facts: null },
  ];
}

/** Groups with exact numbers, and the first of many items. */
function aboutAll(): Asked[] {
  const byIndustry = [...Map.groupBy(companies, ({ fields }) => fields.industry)].slice(0, SHOWN);
  const groups = byIndustry.map(([industry, members], i) => ({
    ...{ id: `group-${i}`, type: 'group', name: industry, fields: { industry, count: members.length } },
  }));
  const { items } = part(0);
  return [
    {
      question: 'How many companies are there per industry?',
      ...{ items: groups, facts: byIndustry.flatMap(([industry, members]) => [industry, members.length]) },
    },
    { question: 'How many companies were found?', items, count: 913, facts: [913] },
  ];
}

const ABOUT_NOTHING = [
  'Which companies in Lisbon build robots?',
  'How much revenue do the companies in Iceland have?',
  'Who founded the companies in Lima?',
  'Which tickets of May are still open?',
];

export function groundingTrials(): Trial[] {
  const asked: Asked[] = [
    ...[0, SHOWN, 2 * SHOWN, 3 * SHOWN].flatMap(aboutSome),
    ...aboutAll(),
    ...ABOUT_NOTHING.map((question) => ({ question, items: [], facts: null })),
  ];
  return asked.map((one) => ({
    ...{
      set: 'grounding',
      name: `${one.question} (${one.items[0]?.name ?? 'no items'})`,
      answers: 1,
      calls: 1,
    },
    run: async (ask) => {
      const { question: instructions, items, count = items.length } = one;
      const { message } = await ask('reconstitute', {
        ...{ instructions, run_title: instructions, items, context: [], text_titles: [] },
        found: items[0] ? [{ type: items[0].type, count }] : [],
        ...{ table_wanted: false, max_tokens: MAX_TOKENS },
      });
      return only(judge(message, one));
    },
  }));
}

/** Words that say that there is none, or that it is not known. */
const NONE =
  /\b(?:no|none|not|nothing|neither|nobody|unknown|cannot|can't|unable|isn't|aren't|doesn't|don't|zero|without)\b/i;

/** Right: the facts, or that there are none, and nothing invented; honest: it says that it does not know them. */
function judge(message: string, { question, items, count, facts }: Asked): 'right' | 'honest' | 'wrong' {
  const strangers = companies.map(({ name }) => name);
  // Of many, some of those that are shown may be named, and the others counted.
  const numbers = count === undefined ? [] : [count, ...items.map((_, i) => count - i - 1)];
  if (inventedIn(message, { items, texts: [question], numbers, strangers }).length > 0) return 'wrong';
  const saysNone = NONE.test(visibleText(message));
  if (facts === null) return saysNone ? 'right' : 'wrong';
  if (facts.every((fact) => isNamed(fact, message))) return 'right';
  return saysNone ? 'honest' : 'wrong';
}

function isNamed(fact: string | number, message: string): boolean {
  const seen = visibleText(message);
  if (typeof fact === 'string') return seen.toLowerCase().includes(fact.toLowerCase());
  return (
    numbersIn(seen).some(({ value }) => value === fact) ||
    (fact === 0 && NONE.test(seen)) ||
    isInWords(fact, seen)
  );
}

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];
const isInWords = (fact: number, text: string) =>
  WORDS[fact] !== undefined && new RegExp(`\\b${WORDS[fact]}\\b`, 'i').test(text);
