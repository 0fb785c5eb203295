// The message of a run whose last step writes none (rules.md: steps 12).
import { limits } from '#contract/limits.ts';
import { asMarkdown } from '#platform/markdown.ts';
import { plainText } from '#platform/words.ts';
import { linkedName } from './record-links.ts';
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
 * What the message must say about an output: that nothing of what was read was kept, that not all matching records were
 * judged, or that a fetch could not return all.
 */
export function partNotes({ part, replaces, in_vain }: StepOutput): string[] {
  if (in_vain !== undefined) return [asMarkdown(in_vain)];
  if (!part) return [];
  const { matched, taken } = part;
  const first = matched === undefined ? `first ${taken}` : `first ${taken} of ${matched}`;
  if (replaces) return [`Only the ${first} matching records could be judged.`];
  return taken < limits.step_items_max ? [] : [`Only the ${first} matching records were taken.`];
}

/** The message, followed by the notes. */
export function withNotes(message: string, notes: string[]): string {
  return [message, ...notes].join('\n\n');
}
