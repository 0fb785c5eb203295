// Reconstitution: the answer, written from the items and findings of the steps before.
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { contentWords } from '#platform/words.ts';
import { facts, grouped, measured } from './analyze.ts';
import { capitalised, census, linkTo, listed, plural, within } from './items.ts';
import { subjectWords, tellingSentences } from './relevance.ts';
import { groupings, measures } from './statistics.ts';

type Input = InputOf<'reconstitute'>;

/** A share of the tokens for the message, the rest for the texts. */
const MESSAGE_SHARE = 0.3;

/** Message, texts in the order wanted and the table's title, together within `max_tokens`. */
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

function message({ items, context, run_title }: Input, asked: string, words: string[]): string {
  const said = context.map((part) => part.trim()).filter(Boolean);
  const lead = opening(items, run_title, asked);
  if (items.length === 0)
    return said.length === 0 ? `${lead} No records were found for this.` : [lead, ...said].join('\n\n');
  const list = items.slice(0, 5).map((item) => `- ${linkTo(item)}: ${facts(item, words, 3)}`);
  if (items.length > 5) list.push(`- and ${items.length - 5} more`);
  const numbers = items.length > 1 ? measures(items, words, 1).map(measured) : [];
  const heard = words.length > 0 ? tellingSentences(words, said, 2) : [];
  return [lead, list.join('\n'), ...numbers, heard.join(' ')].filter(Boolean).join('\n\n');
}

function text(input: Input, title: string, asked: string): string {
  const words = contentWords(`${title} ${asked}`);
  const { items, context } = input;
  const records = items.slice(0, 50).map((item) => `- ${linkTo(item)}: ${facts(item, words, 5)}`);
  if (items.length > 50) records.push(`- and ${items.length - 50} more`);
  const findings = context.map((part) => part.trim()).filter(Boolean);
  const patterns = [...groupings(items, words, 2).map(grouped), ...measures(items, words, 2).map(measured)];
  return [
    opening(items, input.run_title, asked),
    ...section('Findings', findings),
    ...section('Records', [records.join('\n')].filter(Boolean)),
    ...section('Patterns', findings.length === 0 && items.length > 2 ? patterns : []),
  ].join('\n\n');
}

/** The question, or the run's title, and what was found. */
function opening(items: ModelItem[], title: string, asked: string): string {
  const subject = sentence(asked.trim().endsWith('?') ? asked : title || asked);
  return items.length === 0 ? subject : `${subject} Found: ${census(items)}.`;
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
