// Reconstitution: the answer, written from the items and findings of earlier steps.

import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { contentWords } from '#platform/words.ts';
import { lineOf, rounded, saidOf } from './in-words.ts';
import { capitalised, counted, fieldsOf, humanName, listed, plural, within } from './items.ts';
import { subjectWords, tellingSentences } from './relevance.ts';
import { groupings, measures, partOf } from './statistics.ts';

type Input = InputOf<'reconstitute'>;

/** The message's share of the tokens; the texts get the rest. */
const MESSAGE_SHARE = 0.3;

/** How the name of a group joins its values, and stands for an absent one. */
const GROUP_JOINT = ' / ';
const ABSENT = '(none)';
const GROUP_LINES = 20;

/** Message, requested texts in order and the table's title, together within `max_tokens`. */
export function reconstitute(input: Input): OutputOf<'reconstitute'> {
  const { text_titles, max_tokens, run_title, items, table_wanted } = input;
  const perText = Math.floor((max_tokens * (1 - MESSAGE_SHARE)) / Math.max(1, text_titles.length));
  const types = [...new Set(items.map(({ type }) => plural(type, 2)))];
  return {
    message: within(message(input), max_tokens - perText * text_titles.length),
    texts: text_titles.map((title) => ({ title, content: within(text(input, title), perText) })),
    table_title: table_wanted ? run_title.trim() || capitalised(listed(types)) || 'Records' : '',
  };
}

const askedOf = ({ instructions, run_title }: Input) => instructions.trim() || run_title;
const saidIn = ({ context }: Input) => context.map((part) => part.trim()).filter(Boolean);

function message(input: Input): string {
  const { items } = input;
  const said = saidIn(input);
  if (totalOf(items)) return [opening(input), ...said].join('\n\n');
  if (items.length === 0) return said.join('\n\n') || opening(input);
  const words = subjectWords(`${input.run_title} ${input.instructions}`);
  const heard = words.length > 0 ? tellingSentences(words, said, 2).join(' ') : '';
  const numbers = items.length > 1 && !areGroups(items) ? measures(items, words, 1, partOf(input)) : [];
  return [opening(input), lines(input, words, 5, 3), ...numbers, heard].filter(Boolean).join('\n\n');
}

function text(input: Input, title: string): string {
  const { items } = input;
  const words = contentWords(`${title} ${askedOf(input)}`);
  const findings = saidIn(input);
  const hasPatterns = findings.length === 0 && items.length > 2 && !areGroups(items);
  return [
    opening(input),
    ...section('Findings', findings),
    ...section(areGroups(items) ? 'Groups' : 'Records', totalOf(items) ? [] : [lines(input, words, 50, 5)]),
    ...section(
      'Patterns',
      hasPatterns ? [...groupings(items, words, 2), ...measures(items, words, 2, partOf(input))] : [],
    ),
  ].join('\n\n');
}

function section(heading: string, blocks: string[]): string[] {
  const whole = blocks.filter(Boolean);
  return whole.length === 0 ? [] : [`## ${heading}`, ...whole];
}

/** The first items, one line each with their facts; groups show all their numbers. */
function lines({ items, found }: Input, words: string[], most: number, facts: number): string {
  const groups = areGroups(items);
  const first = items.slice(0, groups ? Math.max(GROUP_LINES, most) : most);
  const rows = first.map((item) =>
    groups ? `- ${asMarkdown(numbersOf(item))}` : lineOf(item, words, facts),
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
  if (only?.key === 'count' && !another) return `${item.name}: ${saidOf(only)}`;
  return `${item.name}: ${measured.map((field) => `${humanName(field.key)} ${saidOf(field)}`).join(', ')}`;
}

const areGroups = (items: ModelItem[]) => items.length > 0 && items.every(({ type }) => type === 'group');

/** The numbers of a single group of all records; '' when the result is something else. */
function totalOf(items: ModelItem[]): string {
  const [only] = items;
  if (!only || items.length > 1 || !areGroups(items) || only.name !== '') return '';
  const numbers = fieldsOf(only).map((field) => `${capitalised(humanName(field.key))}: ${saidOf(field)}.`);
  return asMarkdown(numbers.join(' ')) || 'No record has such a value.';
}

/** The question, if it is one, and what was found. */
function opening(input: Input): string {
  const asked = askedOf(input);
  const question = asked.endsWith('?') ? `${capitalised(asked.replace(/\s+/g, ' '))} ` : '';
  const found = input.items.length === 0 ? 'No records were found.' : `Found: ${counted(input.found)}.`;
  return `${question}${totalOf(input.items) || found}`;
}
