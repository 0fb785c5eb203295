// Reconstitution: the answer, written from the items and findings of earlier steps.
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { asMarkdown } from '#platform/markdown.ts';
import { contentWords } from '#platform/words.ts';
import { facts, grouped, measured } from './analyze.ts';
import { capitalised, counted, fieldsOf, humanName, linkTo, listed, plural, shown, within } from './items.ts';
import { subjectWords, tellingSentences } from './relevance.ts';
import { groupings, measures } from './statistics.ts';

type Input = InputOf<'reconstitute'>;

/** The message's share of the tokens; the texts get the rest. */
const MESSAGE_SHARE = 0.3;

/** A group has at most three fields and ten measures. */
const GROUP_FACTS = 13;
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
  const lead = opening(input, asked);
  const total = totalOf(items);
  if (total) return [`${lead} ${total}`, ...said].join('\n\n');
  if (items.length === 0)
    return said.length === 0 ? `${lead} No records were found for this.` : [lead, ...said].join('\n\n');
  const list = lines(input, words, { lines: 5, facts: 3 });
  const numbers = items.length > 1 && !areGroups(items) ? measures(items, words, 1).map(measured) : [];
  const heard = words.length > 0 ? tellingSentences(words, said, 2) : [];
  return [lead, list, ...numbers, heard.join(' ')].filter(Boolean).join('\n\n');
}

function text(input: Input, title: string, asked: string): string {
  const words = contentWords(`${title} ${asked}`);
  const { items, context } = input;
  const total = totalOf(items);
  const findings = context.map((part) => part.trim()).filter(Boolean);
  const patterns = [...groupings(items, words, 2).map(grouped), ...measures(items, words, 2).map(measured)];
  return [
    total ? `${opening(input, asked)} ${total}` : opening(input, asked),
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
  const rows = first.map(
    (item) => `- ${linkTo(item)}: ${asMarkdown(facts(item, words, groups ? GROUP_FACTS : most.facts))}`,
  );
  const more = found.reduce((sum, { count }) => sum + count, 0) - first.length;
  return [...rows, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function areGroups(items: ModelItem[]): boolean {
  return items.length > 0 && items.every(({ type }) => type === 'group');
}

/** The numbers of a single group of all records; '' when the result is something else. */
function totalOf(items: ModelItem[]): string {
  const [only] = items;
  if (!only || items.length > 1 || !areGroups(items) || only.name !== '') return '';
  const numbers = fieldsOf(only).map(({ key, value }) => `${capitalised(humanName(key))}: ${shown(value)}.`);
  return asMarkdown(numbers.join(' ')) || 'No record has such a value.';
}

/** The question, or the run's title, and what was found. */
function opening({ items, found, run_title }: Input, asked: string): string {
  const subject = sentence(asked.trim().endsWith('?') ? asked : run_title || asked);
  return items.length === 0 || totalOf(items) ? subject : `${subject} Found: ${counted(found)}.`;
}

function section(heading: string, blocks: string[]): string[] {
  return blocks.length === 0 ? [] : [`## ${heading}`, ...blocks];
}

function sentence(text: string): string {
  const plain = capitalised(text.replace(/\s+/g, ' ').trim());
  return /[.!?:]$/.test(plain) || plain === '' ? plain : `${plain}.`;
}

function tableTitle({ items, run_title }: Input): string {
  const types = [...new Set(items.map((item: ModelItem) => item.type))];
  return run_title.trim() || capitalised(listed(types.map((type) => plural(type, 2)))) || 'Records';
}
