// Analysis: findings about the items, written from their data.
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { asMarkdown } from '#platform/markdown.ts';
import { contentWords, wordsOf } from '#platform/words.ts';
import { capitalised, census, fieldsOf, humanName, linkTo, listed, shown, within } from './items.ts';
import { bestFirst, coverageOf, subjectWords, tellingSentences } from './relevance.ts';
import { type Grouping, groupings, isYears, type Measure, measures, rounded } from './statistics.ts';

/** Markdown findings within `max_tokens`: what there is, its groups, its numbers, the best matches for the question. */
export function analyze(input: InputOf<'analyze'>): OutputOf<'analyze'> {
  const question = `${input.focus} ${input.instructions}`;
  const words = subjectWords(question);
  const part = partOf(input);
  const parts = [
    `**Scope.** The findings rest on ${part === '' ? '' : `${part}, `}${census(input.items)}.`,
    ...groupings(input.items, contentWords(question), 3).map(grouped),
    ...measures(input.items, contentWords(question), 4).map((measure) => measured(measure, part)),
    closest(input.items, words),
    heard(input.context, words),
  ];
  return { findings: within(parts.filter(Boolean).join('\n\n'), input.max_tokens) };
}

/** "the first 200 of 600 items", when not all of them are there; '' when all are. */
export function partOf({ items, found }: { items: ModelItem[]; found: { count: number }[] }): string {
  const all = found.reduce((sum, { count }) => sum + count, 0);
  return all > items.length ? `the first ${items.length} of ${rounded(all)} items` : '';
}

/** One line per grouping: its largest groups with their share and a few members. */
export function grouped({ key, groups, missing }: Grouping): string {
  const total = groups.reduce((sum, group) => sum + group.items.length, 0);
  const lines = groups.slice(0, 6).map(({ value, items }) => {
    const share = Math.round((100 * items.length) / Math.max(1, total));
    const more = items.length > 3 ? ` and ${items.length - 3} more` : '';
    return `- ${asMarkdown(value)}: ${items.length} (${share} %): ${items.slice(0, 3).map(linkTo).join(', ')}${more}`;
  });
  if (groups.length > 6) lines.push(`- ${groups.length - 6} further values`);
  if (missing > 0) lines.push(`- unknown for ${missing}`);
  return `**By ${asMarkdown(humanName(key))}.**\n${lines.join('\n')}`;
}

/** One line per numeric field: range with the items at both ends; of amounts also mean and, over all items, the sum. */
export function measured(measure: Measure, part: string): string {
  const { key, count, sum, mean, min, max } = measure;
  const name = humanName(key);
  const number = (value: number) => rounded(value, name);
  const title = asMarkdown(capitalised(name));
  if (count === 1) return `**${title}.** ${number(min.value)}, known of ${linkTo(min.item)} alone.`;
  const range = `**${title}.** From ${number(min.value)} (${linkTo(min.item)}) to ${number(max.value)} (${linkTo(max.item)})`;
  const over = part === '' ? `over ${count} items` : `over ${part}`;
  if (isYears(measure)) return `${range}, ${over}.`;
  const isAdded = part === '' && !/score|rating|percent|age|rank|price|rate|temperature/.test(name);
  return `${range}, on average ${number(mean)}${isAdded ? `, in sum ${number(sum)}` : ''}, ${over}.`;
}

function closest(items: ModelItem[], words: string[]): string {
  if (items.length === 0) return '';
  const lines = bestFirst(words, items)
    .slice(0, 5)
    .map((item) => `- ${linkTo(item)}: ${asMarkdown(facts(item, words, 4))}`);
  return `**${words.length > 0 ? 'Closest to the question' : 'First in line'}.**\n${lines.join('\n')}`;
}

/** The facts of an item as "city Berlin, revenue 12.5", those that match the words first. */
export function facts(item: ModelItem, words: string[], limit: number): string {
  return factsOf(item)(words, limit);
}

/** The same for an item that is asked several times. */
export function factsOf(item: ModelItem): (words: string[], limit: number) => string {
  const all = fieldsOf(item).map(({ key, value }) => {
    const name = humanName(key);
    const said = typeof value === 'number' ? rounded(value, name) : shown(value);
    const short = said.length > 160 ? `${said.slice(0, 160).trimEnd()}…` : said;
    return { own: wordsOf(`${name} ${said}`), text: `${name} ${short}` };
  });
  return (words, limit) => {
    const best = all
      .map(({ own, text }) => ({ text, fit: coverageOf(words, own) }))
      .toSorted((a, b) => b.fit - a.fit);
    const texts = best.slice(0, limit).map(({ text }) => text);
    return texts.join(', ') || `a ${humanName(item.type)} without further data`;
  };
}

function heard(context: string[], words: string[]): string {
  const lines = tellingSentences(words, context, 5);
  return lines.length === 0
    ? ''
    : `**From the steps before.** ${listed(lines.map((line) => line.replace(/^[-*]\s+/, '')))}`;
}
