// The message of a run whose last step writes none (rules.md: steps 12).
import { limits } from '#contract/limits.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { plainText } from '#platform/words.ts';
import { linkedName } from './link-records.ts';
import type { Item, StepOutput } from './step.ts';

const NAMED_MAX = 10;

/** Summarizes a run's result: the number of items, and the first ten as links. */
export function closingMessage(runTitle: string, items: Item[]): string {
  const title = asMarkdown(runTitle);
  if (items.length === 0) return `${title}: nothing was found.`;
  const named = items.slice(0, NAMED_MAX).map(labelOf).join(', ');
  const more = items.length > NAMED_MAX ? ` and ${items.length - NAMED_MAX} more` : '';
  return `${title}: ${items.length} ${items.length === 1 ? 'item' : 'items'}: ${named}${more}.`;
}

/** What identifies an item; for a group its values and measures. */
function labelOf(item: Item): string {
  if (item.kind !== 'group') return linkedName(item);
  return asMarkdown(
    Object.entries(item.fields)
      .map(([field, value]) => `${field} ${plainText(value)}`)
      .join(' '),
  );
}

/**
 * What the message must say about an output: that nothing of what was read was kept, or how many records were left
 * out, that not all matching ones were judged, or that a fetch could not return all.
 */
export function partNotes({ part, replaces, in_vain, left_out }: StepOutput): string[] {
  if (in_vain !== undefined) return [asMarkdown(in_vain)];
  return [...(left_out === undefined ? [] : [asMarkdown(left_out)]), ...cutNotes({ part, replaces })];
}

function cutNotes({ part, replaces }: Pick<StepOutput, 'part' | 'replaces'>): string[] {
  if (!part) return [];
  const { matched, taken } = part;
  const first = matched === undefined ? `first ${taken}` : `first ${taken} of ${matched}`;
  if (replaces) return [`Only the ${first} matching records could be judged.`];
  return taken < limits.step_items_max ? [] : [`Only the ${first} matching records were taken.`];
}

/** Markdown that only begins a line. */
const BLOCK = /^(#|>|\||```|[-*+] |\d+[.)] )/;

/** The message of a query, after the words of it that were not understood (rules.md: query 5). */
export function afterWords(message: string, words: readonly string[]): string {
  const first = `Not understood: ${asMarkdown(words.join(', '))}.`;
  if (words.length === 0 || message.startsWith(first)) return message;
  return `${first}${BLOCK.test(message) ? '\n\n' : ' '}${message}`;
}

/** The message, followed by the notes. */
export function withNotes(message: string, notes: string[]): string {
  return [message, ...notes].join('\n\n');
}
