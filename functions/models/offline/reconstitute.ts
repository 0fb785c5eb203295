// Reconstitution: the answer, written from the items and findings of earlier steps.
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { asMarkdown } from '#platform/markdown.ts';
import { contentWords } from '#platform/words.ts';
import { facts, grouped, measured, partOf } from './analyze.ts';
import {
  capitalised,
  counted,
  type Field,
  fieldsOf,
  humanName,
  linkTo,
  listed,
  plural,
  shown,
  within,
} from './items.ts';
import { subjectWords, tellingSentences } from './relevance.ts';
import { groupings, measures, rounded } from './statistics.ts';

type Input = InputOf<'reconstitute'>;

/** The message's share of the tokens; the texts get the rest. */
const MESSAGE_SHARE = 0.3;

/** How the name of a group joins its values, and stands for an absent one. */
const GROUP_JOINT = ' / ';
const ABSENT = '(none)';
const GROUP_LINES = 20;

/** Message, requested texts in order and the table's title, together within `max_tokens`. */
export function reconstitute(input: Input): OutputOf<'reconstitute'> {
  const asked = input.instructions.trim() || input.run_title;
  const words = subjectWords(`${input.run_title} ${input.instructions}`);
  const forTexts = input.max_tokens * (1 - MESSAGE_SHARE);
  const perText = Math.floor(forTexts / Math.max(1, input.text_titles.length));
  const forMessage =
    input.text_titles.length > 0 ? input.max_tokens - perText * input.text_titles.length : input.max_tokens;
  return {
    message: within(message(input, asked, words), forMessage),
    texts: input.text_titles.map((title) => ({ title, content: within(text(input, title, asked), perText) })),
    table_title: input.table_wanted ? tableTitle(input) : '',
  };
}

function message(input: Input, asked: string, words: string[]): string {
  const { items, context } = input;
  const said = context.map((part) => part.trim()).filter(Boolean);
  const total = totalOf(items);
  const lead = opening(input, asked, total);
  if (total) return [lead, ...said].join('\n\n');
  if (items.length === 0) return said.length === 0 ? lead : said.join('\n\n');
  const list = lines(input, words, { lines: 5, facts: 3 });
  const numbers =
    items.length > 1 && !areGroups(items)
      ? measures(items, words, 1).map((measure) => measured(measure, partOf(input)))
      : [];
  const heard = words.length > 0 ? tellingSentences(words, said, 2) : [];
  return [lead, list, ...numbers, heard.join(' ')].filter(Boolean).join('\n\n');
}

function text(input: Input, title: string, asked: string): string {
  const words = contentWords(`${title} ${asked}`);
  const { items, context } = input;
  const total = totalOf(items);
  const findings = context.map((part) => part.trim()).filter(Boolean);
  const part = partOf(input);
  const patterns = [
    ...groupings(items, words, 2).map(grouped),
    ...measures(items, words, 2).map((measure) => measured(measure, part)),
  ];
  return [
    opening(input, asked, total),
    ...section('Findings', findings),
    ...section(
      areGroups(items) ? 'Groups' : 'Records',
      [total ? '' : lines(input, words, { lines: 50, facts: 5 })].filter(Boolean),
    ),
    ...section('Patterns', findings.length === 0 && items.length > 2 && !areGroups(items) ? patterns : []),
  ].join('\n\n');
}

/** The first items, one line each with their facts; groups show all their numbers. */
function lines({ items, found }: Input, words: string[], most: { lines: number; facts: number }): string {
  const groups = areGroups(items);
  const first = items.slice(0, groups ? Math.max(GROUP_LINES, most.lines) : most.lines);
  const rows = first.map((item) =>
    groups
      ? `- ${asMarkdown(numbersOf(item))}`
      : `- ${linkTo(item)}: ${asMarkdown(facts(item, words, most.facts))}`,
  );
  const more = found.reduce((sum, { count }) => sum + count, 0) - first.length;
  return [...rows, ...(more > 0 ? [`- and ${rounded(more)} more`] : [])].join('\n');
}

/** "Berlin: 17", "Oslo / energy: average revenue 12.5, highest revenue 20": a group by its values and measures. */
function numbersOf(item: ModelItem): string {
  const fields = fieldsOf(item);
  // The grouped fields come first; an absent one is in the name alone.
  const grouped = item.name.split(GROUP_JOINT).filter((value) => value !== ABSENT).length;
  const measured = fields.length > grouped ? fields.slice(grouped) : fields;
  const [only, another] = measured;
  if (only?.key === 'count' && !another) return `${item.name}: ${numberOf(only)}`;
  return `${item.name}: ${measured.map((field) => `${humanName(field.key)} ${numberOf(field)}`).join(', ')}`;
}

const numberOf = ({ key, value }: Field) =>
  typeof value === 'number' ? rounded(value, humanName(key)) : shown(value);

function areGroups(items: ModelItem[]): boolean {
  return items.length > 0 && items.every(({ type }) => type === 'group');
}

/** The numbers of a single group of all records; '' when the result is something else. */
function totalOf(items: ModelItem[]): string {
  const [only] = items;
  if (!only || items.length > 1 || !areGroups(items) || only.name !== '') return '';
  const numbers = fieldsOf(only).map((field) => `${capitalised(humanName(field.key))}: ${numberOf(field)}.`);
  return asMarkdown(numbers.join(' ')) || 'No record has such a value.';
}

/** The question, if it is one, and what was found. */
function opening({ items, found }: Input, asked: string, total: string): string {
  const question = asked.endsWith('?') ? `${capitalised(asked.replace(/\s+/g, ' '))} ` : '';
  if (total) return `${question}${total}`;
  return `${question}${items.length === 0 ? 'No records were found.' : `Found: ${counted(found)}.`}`;
}

function section(heading: string, blocks: string[]): string[] {
  return blocks.length === 0 ? [] : [`## ${heading}`, ...blocks];
}

function tableTitle({ items, run_title }: Input): string {
  const types = [...new Set(items.map((item: ModelItem) => item.type))];
  return run_title.trim() || capitalised(listed(types.map((type) => plural(type, 2)))) || 'Records';
}
